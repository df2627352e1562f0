import StrictJSON

/// A call that was refused because its header fields were missing: the server is asked which it needs, once.
extension StreamableSession {
    private static let mostPages = 16
    /// Of what is read as a tree: a call's line, and a page of which the next one is asked for.
    private static let mostTreeBytes = 1 << 20

    /// Asks for a page of the tools in the name of the call, whose `_meta` says who asks.
    mutating func list(for call: Call, refusal: [UInt8], cursor: String?, pages: Int) {
        guard call.line.count <= Self.mostTreeBytes, let request = try? JSON(parsing: call.line).objectValue,
            let meta = request["params"]?.objectValue?["_meta"]?.objectValue, case .stateless(let version) = call.era
        else { return finish(call, with: refusal) }
        var id = 0
        while inUse.contains(where: { $0 == Self.id(id).key }) { id += 1 }
        var own = JSONObject()
        for name in ["protocolVersion", "clientCapabilities", "clientInfo"] {
            let name = "io.modelcontextprotocol/" + name
            if let value = meta[name] { own[name] = value }
        }
        var params: JSON = ["_meta": .object(own)]
        if let cursor { params = ["_meta": .object(own), "cursor": .string(cursor)] }
        let line = JSON.object(["jsonrpc": "2.0", "id": .string("postern-\(id)"), "method": "tools/list", "params": params]).serialized
        let headers = [(name: "MCP-Protocol-Version", value: version), (name: "Mcp-Method", value: "tools/list")]
        post(
            line, Self.headersOfPost + headers,
            Exchange(purpose: .listing(id: Self.id(id), refusal: refusal, isFirstPage: cursor == nil, pages: pages + 1), call: call))
    }

    private static func id(_ number: Int) -> MessageID { .raw(Array("\"postern-\(number)\"".utf8)) }

    mutating func listed(_ id: ExchangeID, _ exchange: Exchange, _ message: CompactedMessage, _ response: MCPMessage) {
        guard case .listing(_, let refusal, let isFirstPage, let pages) = exchange.purpose, let call = exchange.call else { return }
        exchanges[id] = nil
        if exchange.body.isEvents { actions.append(.cancel(id)) }
        guard !response.hasError else { return finish(call, with: refusal) }
        tell(tools.learn(from: message.line, response, isFirstPage: isFirstPage))
        let fields = call.message.flatMap { try? tools.fields(for: $0, in: call.line) } ?? []
        guard fields.isEmpty else {
            send(call)
            return
        }
        guard message.line.count <= Self.mostTreeBytes else { return finish(call, with: refusal) }
        let cursor = (try? JSON(parsing: message.line))?.objectValue?["result"]?.objectValue?["nextCursor"]?.stringValue
        let isKnown = call.message?.routedName.map { tools.knows($0) } ?? true
        guard let cursor, !isKnown, pages < Self.mostPages else { return finish(call, with: refusal) }
        list(for: call, refusal: refusal, cursor: cursor, pages: pages)
    }
}
