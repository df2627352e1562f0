/// What goes to the server.
extension StreamableSession {
    /// Sends a request of the client, or keeps it while too many run.
    mutating func run(_ call: Call) {
        if queue.isEmpty, makeRoom() { send(call) } else { queue.append(call) }
    }

    mutating func sendWhatWaits() {
        while !queue.isEmpty, makeRoom() { send(queue.removeFirst()) }
        sendNotices()
    }

    /// Streams that go on after their response, or that nobody waits for, give way.
    private mutating func makeRoom() -> Bool {
        var count = broken.count + lost.count
        var oldest: ExchangeID?
        for (id, exchange) in exchanges {
            guard let call = exchange.call, exchange.purpose.isClients else { continue }
            count += 1
            if call.isDone, id.number < oldest?.number ?? Int.max { oldest = id }
        }
        guard count >= limits.calls else { return true }
        guard let oldest else { return false }
        abandon(oldest)
        return true
    }

    @discardableResult
    mutating func send(_ call: Call, as purpose: Exchange.Purpose = .call) -> ExchangeID? {
        var headers = Self.headersOfPost
        var exchange = Exchange(purpose: purpose, call: call)
        switch call.era {
        case .stateless(let version):
            headers += headersOfStateless(call.message, version: version)
            do throws(ToolHeaderError) {
                if let message = call.message, message.method == "tools/call" { headers += try tools.fields(for: message, in: call.line) }
            } catch {
                fail(call, MCPErrorCode.notCarried, error.message)
                return nil
            }
        case .session where purpose.isBeginning: break
        case .session:
            headers += headersOfSession
            exchange.sessionNumber = namedSession
        }
        return post(call.line, headers, exchange)
    }

    @discardableResult
    mutating func post(_ line: [UInt8], _ headers: [(name: String, value: String)], _ exchange: Exchange) -> ExchangeID {
        open(exchange, BridgeRequest(method: "POST", url: url, headers: headers, body: .bytes(line)))
    }

    @discardableResult
    mutating func open(_ exchange: Exchange, _ request: BridgeRequest) -> ExchangeID {
        lastExchange += 1
        let id = ExchangeID(lastExchange)
        var exchange = exchange
        exchange.request = request
        exchanges[id] = exchange
        actions.append(.send(id, request, isFirst: !hasAnswer && request.method == "POST"))
        // With a millisecond for 16 bytes, which a slow line may take.
        if exchange.isNotice { actions.append(.wait(.rest(id), milliseconds: limits.noticeAnswer + Int64(exchange.size) / 16)) }
        return id
    }

    static let headersOfPost = [
        (name: "Accept", value: "application/json, text/event-stream"), (name: "Content-Type", value: "application/json"),
    ]

    var headersOfSession: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        guard let session else { return headers }
        if session.sendsVersion { headers.append(("MCP-Protocol-Version", session.version)) }
        if let id = session.id { headers.append(("Mcp-Session-Id", id)) }
        return headers
    }

    /// The session, if requests name it.
    private var namedSession: Int? { session?.id == nil ? nil : session?.number }

    private func headersOfStateless(_ message: MCPMessage?, version: String) -> [(name: String, value: String)] {
        var headers = [(name: "MCP-Protocol-Version", value: version)]
        guard let message else { return headers }
        headers.append(("Mcp-Method", HeaderText.encoded(message.method)))
        if let name = message.routedName { headers.append(("Mcp-Name", HeaderText.encoded(name))) }
        return headers
    }

    /// Notifications keep their order. Responses and cancellations wait for nothing, as requests never do for any of them.
    private mutating func sendNotices() {
        guard !notices.isEmpty else { return }
        var running = 0
        var isOrderedRunning = false
        for case .notice(let notice) in exchanges.values.map(\.purpose) {
            running += 1
            if notice.isOrdered { isOrderedRunning = true }
        }
        var waiting: [Notice] = []
        for notice in notices {
            if running >= limits.notices || (notice.isOrdered && isOrderedRunning) || (barrier != nil && !notice.era.isStateless) {
                waiting.append(notice)
                continue
            }
            running += 1
            if notice.isOrdered { isOrderedRunning = true }
            send(notice, as: .notice(notice))
        }
        notices = waiting
    }

    @discardableResult
    mutating func send(_ notice: Notice, as purpose: Exchange.Purpose) -> ExchangeID {
        var headers = Self.headersOfPost
        var exchange = Exchange(purpose: purpose)
        switch notice.era {
        case .session:
            headers += headersOfSession
            exchange.sessionNumber = namedSession
        case .stateless(let version): headers += headersOfStateless(notice.batch.messages.first, version: version)
        }
        return post(notice.line, headers, exchange)
    }

    /// Closes an exchange of which nothing more is wanted.
    mutating func abandon(_ id: ExchangeID) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        actions.append(.cancel(id))
        if let call = exchange.call { inUse.subtract(call.waiting.keys) }
    }
}

extension Exchange.Purpose {
    /// For a request of the client.
    var isClients: Bool {
        switch self {
        case .call, .initialize, .listing: true
        default: false
        }
    }

    var isBeginning: Bool {
        switch self {
        case .initialize, .renewal: true
        default: false
        }
    }
}
