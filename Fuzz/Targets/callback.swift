import PosternCore

extension Fuzz {
    /// Queries and forms of callbacks.
    static func callback(_ bytes: [UInt8]) {
        guard let parameters = try? CallbackParameters(parsing: bytes) else { return }
        _ = (parameters.state, parameters.code, parameters.error, parameters.errorDescription, parameters.iss)
        guard !"\(parameters)".isEmpty else { fatalError("a description is never empty") }
    }
}
