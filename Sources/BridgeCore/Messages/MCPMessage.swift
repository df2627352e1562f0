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
    /// `params._meta["io.modelcontextprotocol/protocolVersion"]`.
    public internal(set) var metaVersion: String?
    /// Whether there is a `params.cursor`: another page of a list.
    public internal(set) var hasCursor = false

    // Of a response.

    public internal(set) var hasError = false
    /// `error.code`; nil if it is no integer.
    public internal(set) var errorCode: Int64?
    /// `result.protocolVersion`.
    public internal(set) var resultVersion: String?

    /// Where the message is in its line, from `{` to `}`.
    public internal(set) var range: Range<Int> = 0..<0
    /// Where the value of `id` is.
    var idRange: Range<Int>?
    /// Where `params.arguments` is.
    var argumentsRange: Range<Int>?
    /// Where `result` is.
    var resultRange: Range<Int>?
}
