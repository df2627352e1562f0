/// A JSON-RPC message of MCP, read as far as its way needs it.
public struct MCPMessage: Sendable {
    public enum Kind: Sendable, Hashable {
        /// Has a `method` and an `id`, which is not null.
        case request
        /// Has a `method` and no `id`.
        case notification
        /// Has a `result` (and an `id`) or an `error` (whose `id` may be null or missing).
        case response
    }

    public internal(set) var kind: Kind = .notification
    public internal(set) var id: MessageID = .missing
    /// Empty for a response.
    public internal(set) var method = ""

    // Of `params`. Texts are decoded; nil also for what is no string, cannot be UTF-8 or is longer than 8 KiB: the server refuses it.

    /// `params.name` of `tools/call` and `prompts/get`, `params.uri` of `resources/read`, `params.taskId` of `tasks/get`, `tasks/update` and
    /// `tasks/cancel`: what the header `Mcp-Name` repeats.
    public internal(set) var routedName: String?
    /// `params.requestId` of `notifications/cancelled`.
    public internal(set) var cancelledID: MessageID = .missing
    /// `params.protocolVersion` of `initialize`.
    public internal(set) var requestedVersion: String?
    /// `params._meta["io.modelcontextprotocol/protocolVersion"]`.
    public internal(set) var metaVersion: String?
    /// `params._meta.progressToken` of a request; `params.progressToken` of `notifications/progress`.
    public internal(set) var progressToken: MessageID = .missing
    /// Whether there is a `params.cursor`: another page of a list.
    public internal(set) var hasCursor = false

    // Of a response.

    public internal(set) var hasError = false
    /// `error.code`; nil if it is no integer.
    public internal(set) var errorCode: Int64?
    /// `result.protocolVersion`.
    public internal(set) var resultVersion: String?
    /// `result.resultType`, such as `input_required`.
    public internal(set) var resultType: String?

    /// Where the message is in its line, from `{` to `}`.
    public internal(set) var range: Range<Int> = 0..<0
    /// Where the value of `id` is.
    var idRange: Range<Int>?
    /// Where `params.arguments` is.
    var argumentsRange: Range<Int>?
    /// Where `result` is.
    var resultRange: Range<Int>?
}

/// What stands in one line: a message, or an array of them (2025-03-26 alone).
public struct MCPBatch: Sendable {
    public internal(set) var isArray = false
    /// At least one.
    public internal(set) var messages: [MCPMessage] = []

    /// More are refused in one array.
    public static let mostMessages = 1024

    /// Nesting that is passed on: an answer may carry a tree of its own, so this is more than ``JSON/defaultDepthLimit``.
    public static let depthLimit = 512

    /// Reads a line of a client. The whole line is checked to be JSON in UTF-8; nothing of it is changed.
    public init(reading line: [UInt8]) throws(MCPReadError) {
        throw MCPReadError(code: MCPErrorCode.parseError, message: "", id: .missing)
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
}
