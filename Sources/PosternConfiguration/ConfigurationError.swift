/// Why a configuration is not taken: which file, where in it, and what to change.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1; nil where the file as a whole is meant.
    public var line: Int?
    /// A sentence that is safe to show and to log: names keys, never the values of secrets.
    public var message: String

    public init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// As compilers write it, so that editors can jump there.
    public var description: String {
        if let line { "\(file):\(line): \(message)" } else { "\(file): \(message)" }
    }
}
