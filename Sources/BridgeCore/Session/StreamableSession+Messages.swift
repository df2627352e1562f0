/// The server's messages.
extension StreamableSession {
    /// A message in the answer to one of our requests, as a body or an event.
    ///
    /// - Returns: false if it was no message.
    @discardableResult
    mutating func messageReceived(_ id: ExchangeID, _ text: [UInt8]) -> Bool {
        guard let exchange = exchanges[id] else { return true }
        let message: CompactedMessage
        do { message = try CompactedMessage(text) } catch {
            tell("the server sent something that is not a message of MCP; it was dropped")
            return false
        }
        guard !message.batch.isArray else {
            arrayReceived(id, message)
            return true
        }
        guard let only = message.batch.messages.first else { return false }
        if only.kind == .response {
            responseReceived(id, exchange, message, only)
        } else if exchange.purpose.isPassedOn {
            write(message.line)
        }
        return true
    }

    private mutating func arrayReceived(_ id: ExchangeID, _ message: CompactedMessage) {
        guard session?.hasBatches == true, exchanges[id]?.purpose.isPassedOn == true else {
            return tell("the server sent an array of messages, which this session does not use; it was dropped")
        }
        let keys = message.batch.messages.filter { $0.kind == .response }.map(\.id.key)
        var isExpected = true
        for key in keys { if let key, exchanges[id]?.call?.waits(for: key) == true { continue } else { isExpected = false } }
        guard isExpected, Set(keys).count == keys.count else { return tell(Self.unexpected) }
        for case let key? in keys { settle(id, key) }
        write(message.line)
    }

    private mutating func responseReceived(_ id: ExchangeID, _ exchange: Exchange, _ message: CompactedMessage, _ response: MCPMessage) {
        if case .listing(let own, _, _, _) = exchange.purpose {
            guard response.id.key == own.key || (response.hasError && response.id.key == nil) else { return }
            return listed(id, exchange, message, response)
        }
        guard let call = exchange.call else { return tell(Self.unexpected) }
        if response.id.key == nil, response.hasError, call.waiting.count == 1, let missing = call.waiting.first {
            return responseReceived(id, exchange, message.line(filling: missing.value), response, to: missing.key)
        }
        guard let key = response.id.key, call.waits(for: key) else { return tell(Self.unexpected) }
        responseReceived(id, exchange, message.line, response, to: key)
    }

    mutating func responseReceived(
        _ id: ExchangeID, _ exchange: Exchange, _ line: [UInt8], _ response: MCPMessage, to key: MessageID.Key
    ) {
        settle(id, key)
        switch exchange.purpose {
        case .initialize: initializeAnswered(id, exchange, line, response)
        case .renewal: renewalAnswered(id, exchange, response)
        case .listing(_, let refusal, _, _): write(refusal)
        default: if let call = exchange.call { pass(on: line, response, call) }
        }
    }

    private func isList(_ call: Call) -> Bool { call.message?.method == "tools/list" && call.era.isStateless }

    /// An answer to the client. From a list of tools those are left out that a client over HTTP must not use.
    private mutating func pass(on line: [UInt8], _ response: MCPMessage, _ call: Call) {
        if call.era.isStateless, !response.hasError { isKnownStateless = true }
        guard isList(call), !response.hasError, let request = call.message else { return write(line) }
        let listing = tools.learn(from: line, response, isFirstPage: !request.hasCursor)
        tell(listing)
        write(listing.line)
    }

    mutating func tell(_ listing: ToolListing) {
        for (tool, reason) in listing.leftOut { tell("the tool \(tool) was left out: \(reason)") }
        if let problem = listing.problem { tell(problem) }
    }

    private mutating func settle(_ id: ExchangeID, _ key: MessageID.Key) {
        guard exchanges[id]?.call?.answered(key) == true, exchanges[id]?.purpose.isClients == true else { return }
        inUse.remove(key)
    }

    private static let unexpected = "the server sent an answer that no request waits for; it was dropped"
}

extension Exchange.Purpose {
    /// Whether the client sees what comes beside the response.
    var isPassedOn: Bool {
        switch self {
        case .call, .initialize, .renewal, .stream: true
        case .listing, .notice, .initialized, .over: false
        }
    }
}
