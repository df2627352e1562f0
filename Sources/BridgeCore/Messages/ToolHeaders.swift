/// The tools that a server has listed, as far as their calls need header fields of their own (`x-mcp-header`).
public struct ToolHeaders: Sendable {
    public static let mostTools = 1024
    public static let mostHeaders = 32
    public static let longestValue = 8192

    public init() {}

    /// Reads an answer to `tools/list`.
    ///
    /// - Parameters:
    ///   - line: where the response is, alone in its line.
    ///   - isFirstPage: the request had no `cursor`. What was known is forgotten when the last page has come.
    /// - Returns: what the client may see.
    public mutating func learn(from line: [UInt8], _ response: MCPMessage, isFirstPage: Bool) -> ToolListing {
        ToolListing(line: line, leftOut: [], problem: nil)
    }

    /// Whether the server has listed a tool of this name.
    public func knows(_ tool: String) -> Bool { false }

    /// The `Mcp-Param-*` fields for a call; none for a tool that was not listed.
    ///
    /// - Parameter line: where `call`, a `tools/call`, is.
    public func fields(for call: MCPMessage, in line: [UInt8]) throws(ToolHeaderError) -> [(name: String, value: String)] { [] }
}

/// A list of tools for the client.
public struct ToolListing: Sendable {
    /// The line without the tools that are invalid; every other byte is as it was.
    public var line: [UInt8]
    /// The tools that were cut out. For a person.
    public var leftOut: [(tool: String, reason: String)]
    /// Why tools of this answer are not known; their calls go without fields of their own.
    public var problem: String?
}

/// Why a call cannot have its header fields. A sentence for a person.
public struct ToolHeaderError: Error, Sendable, Hashable {
    public var message: String
}
