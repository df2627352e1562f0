/// Where something stands in the configuration files.
struct Place: Sendable, Hashable {
    var file: String
    var line: Int

    func error(_ message: String) -> ConfigurationError { ConfigurationError(file: file, line: line, message: message) }
}
