import StrictJSON

/// Codes of errors. The bridge's own lie outside of what JSON-RPC and MCP reserve (−32768 to −32000).
public enum MCPErrorCode {
    public static let parseError: Int64 = -32700
    public static let invalidRequest: Int64 = -32600

    /// A sign-in or another decision of a person is missing.
    public static let personNeeded: Int64 = -33401
    /// A message that is too long.
    public static let tooLong: Int64 = -33413
    /// The daemon refuses or is not there.
    public static let daemon: Int64 = -33500
    /// The server broke a rule, or the connection ended before the answer did.
    public static let interrupted: Int64 = -33502
    /// There is no connection to the server: the request was not carried out.
    public static let unreachable: Int64 = -33503
    /// The server answered with an HTTP status and nothing that a client of MCP understands.
    public static let httpStatus: Int64 = -33504
    /// What this bridge, or this revision of the protocol, cannot carry.
    public static let notCarried: Int64 = -33505
}

extension BridgeFailure.Kind {
    public var errorCode: Int64 {
        switch self {
        case .personNeeded: MCPErrorCode.personNeeded
        case .daemon: MCPErrorCode.daemon
        case .unreachable: MCPErrorCode.unreachable
        case .interrupted: MCPErrorCode.interrupted
        }
    }
}

/// A JSON-RPC error that the bridge answers a request with.
public enum MCPError {
    /// One line, without its line end. The `id` is written as it came.
    public static func line(id: MessageID, code: Int64, message: String) -> [UInt8] {
        var bytes = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
        bytes.append(contentsOf: id.bytes)
        bytes.append(contentsOf: #","error":{"code":\#(code),"message":"#.utf8)
        JSON.serialize(message, into: &bytes)
        bytes.append(contentsOf: "}}".utf8)
        return bytes
    }

    public static func line(_ error: MCPReadError) -> [UInt8] { line(id: error.id, code: error.code, message: error.message) }
}
