/// How a request ends.
extension StreamableSession {
    mutating func callEnded(_ id: ExchangeID, _ exchange: Exchange) {
        guard let answer = exchange.answer else { return failed(id, BridgeFailure(.interrupted, "the server gave no answer")) }
        if exchange.body.isEvents {
            exchanges[id] = nil
            guard let call = exchange.call, !call.waiting.isEmpty else { return }
            if takeUpAgain(id, call, exchange) { return }
            return fail(exchange, id, MCPErrorCode.interrupted, Self.broken(call))
        }
        if exchange.call?.wasResumed == true { return resumptionRefused(id, exchange, answer) }
        if answer.isSuccess {
            if exchange.body.hasMessages, !exchange.body.text.isEmpty { messageReceived(id, exchange.body.text) }
        } else if refusalReceived(id, exchange, answer) {
            return
        }
        guard let rest = exchanges.removeValue(forKey: id) else { return }
        guard let call = rest.call, !call.waiting.isEmpty else { return }
        let sentence =
            answer.status == 404 && call.wasLost
            ? AnswerSentence.lostAgain
            : AnswerSentence.of(answer, isBeginning: rest.purpose.isBeginning, era: call.era)
        fail(rest, id, answer.isSuccess ? MCPErrorCode.interrupted : MCPErrorCode.httpStatus, sentence)
    }

    private static func broken(_ call: Call) -> String {
        call.message?.method == "subscriptions/listen"
            ? "the server's stream of notices ended; listen again"
            : "the server's stream ended without the answer; the request may have been carried out"
    }

    /// A body of 400 or 404. True if that is the end of it: the error was passed on, or the request goes on in another way.
    private mutating func refusalReceived(_ id: ExchangeID, _ exchange: Exchange, _ answer: BridgeAnswer) -> Bool {
        guard answer.status == 400 || answer.status == 404, let call = exchange.call else { return false }
        if exchange.hasLostSession, !call.wasLost {
            exchanges[id] = nil
            lose(call, of: exchange.sessionNumber)
            return true
        }
        guard let (message, error) = exchange.body.error, call.waiting.count == 1, let request = call.waiting.first else { return false }
        let line = message.line(answering: request.value)
        if let sentence = sentenceOfOtherEra(exchange.purpose, call, error.errorCode) {
            exchanges[id] = nil
            fail(exchange, id, MCPErrorCode.notCarried, sentence)
        } else if error.errorCode == MCPErrorCode.headerMismatch, let call = call.toBeListed, case .call = exchange.purpose {
            exchanges[id] = nil
            list(for: call, refusal: line, cursor: nil, pages: 0)
        } else {
            responseReceived(id, exchange, line, error, to: request.key)
            exchanges[id] = nil
        }
        return true
    }

    /// Why the two cannot speak, where the server's error would not say it. A probe gets the error as it is: the client falls back then.
    private mutating func sentenceOfOtherEra(_ purpose: Exchange.Purpose, _ call: Call, _ code: Int64?) -> String? {
        guard call.era.isStateless else {
            guard purpose.isBeginning, code == MCPErrorCode.headerMismatch || code == MCPErrorCode.methodNotFound else { return nil }
            return "the server speaks MCP 2026-07-28 or later, without sessions; this client began one, as in revisions up to 2025-11-25, "
                + "and the bridge does not translate between them: use a newer client"
        }
        if let code, MCPErrorCode.stateless.contains(code) { isKnownStateless = true }
        guard !isKnownStateless, call.message?.method != "server/discover" else { return nil }
        return code == MCPErrorCode.invalidRequest || code == MCPErrorCode.oldServerError
            ? "the server refuses the request; \(AnswerSentence.olderServer)" : nil
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
        let reader = exchange.body.reader
        if !reader.lastEventID.isEmpty {
            if reader.resumptionID != call.lastEventID { call.failedResumptions = 0 }
            call.lastEventID = reader.resumptionID
        }
        if let retry = reader.retry { call.retry = retry }
        guard case .call = exchange.purpose, !call.era.isStateless, call.lastEventID != nil, !call.isDone else { return false }
        guard call.failedResumptions < limits.resumptions else { return false }
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
        var headers = [(name: "Accept", value: "text/event-stream")] + headersOfSession
        if let lastEventID { headers.append(("Last-Event-ID", lastEventID)) }
        return open(exchange, BridgeRequest(method: "GET", url: url, headers: headers))
    }

    private mutating func resumptionRefused(_ id: ExchangeID, _ exchange: Exchange, _ answer: BridgeAnswer) {
        exchanges[id] = nil
        let isPassing = answer.status == 409 || answer.status == 429 || answer.status >= 500
        if isPassing, let call = exchange.call, takeUpAgain(id, call, exchange) { return }
        fail(
            exchange, id, MCPErrorCode.interrupted,
            "the server's stream ended and cannot be taken up again (\(answer.status))" + AnswerSentence.maybe)
    }
}

/// How long until a stream is begun again.
enum Pause {
    static let shortest: Int64 = 50
    static let longest: Int64 = 60_000

    /// The server's `retry` or a second, doubled with each failure.
    static func milliseconds(failures: Int, retry: Int64?) -> Int64 {
        let first = min(max(retry ?? 1000, shortest), 10 * longest)
        guard failures > 0 else { return first }
        return max(first, min(first << Int64(min(failures, 10)), longest))
    }
}
