import PosternValues
import StrictJSON

/// The tools that a server has listed, as far as their calls need header fields of their own (`x-mcp-header`).
public struct ToolHeaders: Sendable {
    public static let mostTools = 1024
    public static let mostHeaders = 32
    /// In bytes, before it is encoded.
    public static let longestValue = 8192

    /// Of the list that is being read, or was read last. By the bytes of their names: equivalent names are two tools.
    private var tools: [[UInt8]: ToolSchema.Node] = [:]
    /// Of the list before, until this one is complete: a call may come between two pages.
    private var before: [[UInt8]: ToolSchema.Node] = [:]
    /// In bytes, of `tools`.
    private var size = 0

    private static let largestSize = 1 << 20

    public init() {}

    /// Reads an answer to `tools/list`.
    ///
    /// - Parameters:
    ///   - line: where the response is, alone in its line.
    ///   - isFirstPage: the request had no `cursor`. What was known is forgotten when the last page has come.
    /// - Returns: what the client may see.
    public mutating func learn(from line: [UInt8], _ response: MCPMessage, isFirstPage: Bool) -> ToolListing {
        var listing = ToolListing(line: line)
        guard let result = response.resultRange, result.upperBound <= line.count else { return listing }
        let read: Result<ToolPage, JSONParseError> = line.withUnsafeBytes { buffer in
            do throws(JSONParseError) { return .success(try ToolPage(buffer, result: result)) } catch { return .failure(error) }
        }
        switch read {
        case .failure(let error): listing.problem = "the list of tools is \(error)"
        case .success(let page) where page.hasTooMany:
            listing.problem = "the list has more than \(ToolPage.mostTools) tools"
        case .success(let page):
            learn(page, isFirstPage: isFirstPage, into: &listing)
            listing.line = page.withoutInvalid(line)
        }
        return listing
    }

    private mutating func learn(_ page: ToolPage, isFirstPage: Bool, into listing: inout ToolListing) {
        if isFirstPage { (before, tools, size) = (tools, [:], 0) }
        for tool in page.tools {
            switch tool.schema {
            case .invalid(let reason):
                listing.leftOut.append((tool.shownName, reason))
                if let name = tool.name { forget(name) }
            case .unread(let reason):
                listing.problem = listing.problem ?? "tool \(tool.shownName): \(reason)"
                if let name = tool.name { forget(name) }
            case .valid(let schema):
                guard let name = tool.name else { continue }
                let added = name.utf8.count + schema.root.size
                guard tools.count < Self.mostTools, size + added <= Self.largestSize else {
                    listing.problem = "more tools than can be kept"
                    continue
                }
                size += added
                tools[Array(name.utf8)] = schema.root
            }
        }
        if !page.hasNextPage { before = [:] }
    }

    private mutating func forget(_ name: String) {
        tools[Array(name.utf8)] = nil
        before[Array(name.utf8)] = nil
    }

    /// Whether the server has listed a tool of this name.
    public func knows(_ tool: String) -> Bool { arguments(of: tool) != nil }

    private func arguments(of tool: String) -> ToolSchema.Node? {
        let name = Array(tool.utf8)
        return tools[name] ?? before[name]
    }

    /// The `Mcp-Param-*` fields for a call; none for a tool that was not listed.
    ///
    /// - Parameter line: where `call`, a `tools/call`, is.
    public func fields(for call: MCPMessage, in line: [UInt8]) throws(ToolHeaderError) -> [(name: String, value: String)] {
        guard let name = call.routedName, let root = arguments(of: name), !root.children.isEmpty,
            let arguments = call.argumentsRange, arguments.upperBound <= line.count
        else { return [] }
        let result: Result<ToolArguments, ToolHeaderError> = line.withUnsafeBytes { buffer in
            do throws(ToolHeaderError) {
                return .success(try ToolArguments(JSONScanner(buffer, from: arguments.lowerBound), root))
            } catch { return .failure(error) }
        }
        return try result.get().fields
    }
}

/// Why a call cannot have its header fields. A sentence for a person.
public struct ToolHeaderError: Error, Sendable, Hashable {
    public var message: String

    public init(message: String) { self.message = message }
}
