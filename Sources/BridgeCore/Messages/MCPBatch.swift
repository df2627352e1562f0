import StrictJSON

/// What stands in one line: a message, or an array of them (2025-03-26 alone).
public struct MCPBatch: Sendable {
    public let isArray: Bool
    /// At least one.
    public let messages: [MCPMessage]
    /// Where the first line break between two tokens is.
    let lineBreak: Int?

    /// More are refused in one array.
    public static let mostMessages = 1024

    /// Nesting that is passed on: an answer may carry a tree of its own, so this is more than `JSON.defaultDepthLimit`.
    public static let depthLimit = 512

    /// Reads a line. All of it is checked to be JSON in UTF-8; nothing of it is changed.
    public init(reading line: [UInt8]) throws(MCPReadError) {
        // Not every supported compiler passes typed throws through the closure of `withUnsafeBytes`.
        let result: Result<MCPBatch, MCPReadError> = line.withUnsafeBytes { buffer in
            do throws(MCPReadError) { return .success(try MCPBatch(buffer)) } catch { return .failure(error) }
        }
        self = try result.get()
    }

    private init(_ line: UnsafeRawBufferPointer) throws(MCPReadError) {
        var reader = MessageReader(line)
        do throws(JSONParseError) {
            (isArray, messages) = try reader.document()
        } catch {
            // Where it begins to be no JSON it may also end: an `id` that stood before belongs to nobody for sure.
            throw MCPReadError(code: MCPErrorCode.parseError, message: error.description, id: .missing)
        }
        if let refusal = reader.refusal {
            throw MCPReadError(
                code: MCPErrorCode.invalidRequest, message: "not a message of MCP: \(refusal)", id: isArray ? .missing : reader.refusedID)
        }
        lineBreak = reader.scanner.lineBreak
    }
}

/// Why a text is no message. The text is not in it.
public struct MCPReadError: Error, Sendable, Hashable {
    /// −32700 for what is no JSON, −32600 for JSON that is no message.
    public var code: Int64
    /// Lower case, for a person.
    public var message: String
    /// Of the message that is refused, where it could be read without doubt and there is only one.
    public var id: MessageID

    public init(code: Int64, message: String, id: MessageID) {
        self.code = code
        self.message = message
        self.id = id
    }
}
