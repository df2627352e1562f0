/// How a request ends.
extension StreamableSession {
    mutating func callEnded(_ id: ExchangeID, _ exchange: Exchange) {
        guard let answer = exchange.answer else { return failed(id, BridgeFailure(.interrupted, "the server gave no answer")) }
        if exchange.body.isEvents {
            exchanges[id] = nil
            guard let call = exchange.call, !call.waiting.isEmpty else { return streamOver(exchange) }
            if takeUpAgain(id, call, exchange) { return }
            return fail(exchange, id, MCPErrorCode.interrupted, Self.broken(call))
        }
        if exchange.call?.wasResumed == true, !answer.isSuccess { return resumptionRefused(id, exchange, answer) }
        if answer.isSuccess {
            if !exchange.body.text.isEmpty { messageReceived(id, exchange.body.text) }
        } else if refusalReceived(id, exchange, answer) {
            return
        }
        guard let rest = exchanges.removeValue(forKey: id) else { return }
        guard let call = rest.call, !call.waiting.isEmpty else { return streamOver(rest) }
        let sentence = AnswerSentence.of(answer, isBeginning: rest.purpose.isBeginning, era: call.era)
        fail(rest, id, answer.isSuccess ? MCPErrorCode.interrupted : MCPErrorCode.httpStatus, sentence)
    }

    private static func broken(_ call: Call) -> String {
        call.message?.method == "subscriptions/listen"
            ? "the server's stream of notices ended; listen again"
            : "the server's stream ended without the answer; the request may have been carried out"
    }

    /// A listing whose stream is over without its answer, or with one, has nothing more to say.
    private func streamOver(_ exchange: Exchange) {}

    /// True if that is the end of it: the error was passed on, or the request goes on in another way.
    private mutating func refusalReceived(_ id: ExchangeID, _ exchange: Exchange, _ answer: BridgeAnswer) -> Bool {
        guard answer.status == 400 || answer.status == 404, var call = exchange.call else { return false }
        let message = try? CompactedMessage(exchange.body.text)
        let refusal = message?.batch.isArray == false ? message?.batch.messages.first.flatMap { $0.hasError ? $0 : nil } : nil
        if answer.status == 404, call.sessionNumber != nil, refusal?.errorCode != -32601, !call.wasLost {
            exchanges[id] = nil
            lose(call)
            return true
        }
        guard let message, let refusal else { return false }
        if exchange.purpose.isBeginning, refusal.errorCode == -32020 || refusal.errorCode == -32601 {
            exchanges[id] = nil
            fail(
                exchange, id, MCPErrorCode.notCarried,
                "the server does not begin sessions: it speaks MCP 2026-07-28 or later, and this client an older revision; use a newer client"
            )
            return true
        }
        if refusal.errorCode == -32020, call.message?.method == "tools/call", call.era.isStateless, !call.wasRefused,
            let only = call.waiting.first
        {
            exchanges[id] = nil
            call.wasRefused = true
            list(for: call, refusal: message.line(filling: only.value), cursor: nil, pages: 0)
            return true
        }
        if call.era.isStateless, call.message?.method != "server/discover", refusal.errorCode == -32600 || refusal.errorCode == -32000 {
            tell("the server may speak only revisions of MCP before 2026-07-28, which this client did not use")
        }
        // The error is about this request, whatever `id` it has.
        guard let only = call.waiting.first, call.waiting.count == 1 else { return false }
        if refusal.id.key == nil || refusal.id.key == only.key {
            messageReceived(id, exchange.body.text)
            exchanges[id] = nil
            return true
        }
        return false
    }

    /// Answers with a line of the server.
    mutating func finish(_ call: Call, with line: [UInt8]) {
        inUse.subtract(call.waiting.keys)
        if !call.isCancelled { write(line) }
    }

    // MARK: Taking up a stream

    /// True if the stream can be taken up where it ended: the server gave its events IDs, in a session.
    mutating func takeUpAgain(_ id: ExchangeID, _ call: Call, _ exchange: Exchange) -> Bool {
        var call = call
        if let eventID = exchange.body.reader.resumptionID { call.lastEventID = eventID }
        if let retry = exchange.body.reader.retry { call.retry = retry }
        guard case .call = exchange.purpose, !call.era.isStateless, call.lastEventID != nil, !call.isDone else { return false }
        guard call.failedResumptions < Limit.resumptions else { return false }
        broken[id] = call
        actions.append(.wait(.resume(id), milliseconds: Pause.milliseconds(failures: call.failedResumptions, retry: call.retry)))
        return true
    }

    mutating func elapsed(_ id: ExchangeID) {
        if stream.state == .pausing(id) { return openStream() }
        guard var call = broken.removeValue(forKey: id), let eventID = call.lastEventID else { return }
        guard !call.isCancelled else { return inUse.subtract(call.waiting.keys) }
        call.wasResumed = true
        call.failedResumptions += 1
        get(lastEventID: eventID, Exchange(purpose: .call, call: call))
    }

    @discardableResult
    mutating func get(lastEventID: String?, _ exchange: Exchange) -> ExchangeID {
        let id = nextExchange()
        exchanges[id] = exchange
        var headers = [(name: "Accept", value: "text/event-stream")] + headersOfSession
        if let lastEventID { headers.append(("Last-Event-ID", lastEventID)) }
        actions.append(.send(id, BridgeRequest(method: "GET", url: url, headers: headers), isFirst: false))
        return id
    }

    private mutating func resumptionRefused(_ id: ExchangeID, _ exchange: Exchange, _ answer: BridgeAnswer) {
        exchanges[id] = nil
        let isPassing = answer.status == 409 || answer.status == 429 || answer.status >= 500
        if isPassing, let call = exchange.call, takeUpAgain(id, call, exchange) { return }
        fail(
            exchange, id, MCPErrorCode.interrupted,
            "the server's stream ended and cannot be taken up again (\(answer.status)); the request may have been carried out")
    }
}

/// How long until a stream is begun again.
enum Pause {
    static let longest: Int64 = 60_000

    /// The server's `retry` or a second, doubled with each failure.
    static func milliseconds(failures: Int, retry: Int64?) -> Int64 {
        let first = min(max(retry ?? 1000, 100), 10 * longest)
        guard failures > 0 else { return first }
        return max(first, min(first << Int64(min(failures, 10)), longest))
    }
}
