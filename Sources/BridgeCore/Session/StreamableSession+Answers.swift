/// What comes from the server, by the exchange in which it comes.
extension StreamableSession {
    mutating func answered(_ id: ExchangeID, _ answer: BridgeAnswer) {
        guard let purpose = exchanges[id]?.purpose, !redirected(id, answer) else { return }
        hasAnswer = true
        exchanges[id]?.answered(answer, limits)
        switch purpose {
        case .stream: streamAnswered(id, answer)
        case .initialize, .renewal:
            guard case .invalid = answer.sessionID else { return }
            stop(id, MCPErrorCode.interrupted, "the server gave a session ID that no header can carry")
        case .notice, .initialized:
            // Nothing of it is read, so it may have no end.
            if exchanges[id]?.body.isEvents == true { endRest(id) }
        case .call:
            if answer.isSuccess { wakeStream() }
        case .over: drain(id, answer)
        case .listing: break
        }
    }

    mutating func received(_ id: ExchangeID, _ bytes: [UInt8]) {
        guard let items = exchanges[id]?.body.receive(bytes) else { return }
        if case .stream = exchanges[id]?.purpose { stream.failures = 0 }
        for item in items {
            guard exchanges[id] != nil else { return }
            switch item {
            case .tooLong: tooLong(id)
            case .event(let event): eventReceived(id, event)
            }
        }
        guard let exchange = exchanges[id] else { return }
        if exchange.body.isTooLong {
            tooLong(id)
        } else if exchanges.values.reduce(0, { $0 + $1.body.size }) > limits.bytes {
            stop(
                id, MCPErrorCode.tooLong,
                "the server's answers under way are longer than \(limits.bytes >> 20) MiB together" + AnswerSentence.maybe)
        }
    }

    private mutating func tooLong(_ id: ExchangeID) {
        guard let exchange = exchanges[id] else { return }
        // On a stream that nobody waits on, only the message is lost. An error's body is not needed.
        if case .stream = exchange.purpose { return tell("the server sent a message longer than 16 MiB; it was dropped") }
        guard exchange.body.hasMessages else { return endRest(id) }
        guard exchange.call?.isDone == false else { return tell("the server sent a message longer than 16 MiB; it was dropped") }
        stop(id, MCPErrorCode.tooLong, "the server's answer is longer than 16 MiB" + AnswerSentence.maybe)
    }

    private mutating func eventReceived(_ id: ExchangeID, _ event: ServerEvent) {
        exchanges[id]?.call?.failedResumptions = 0
        switch event.type {
        case "message": if !event.data.isEmpty { messageReceived(id, event.data) }
        case "endpoint":
            let sentence =
                "the server speaks the old HTTP+SSE transport, which is not supported; look for another URL of the server, often one "
                + "that ends in /mcp"
            if case .stream = exchanges[id]?.purpose {
                tell(sentence)
                return closeStream()
            }
            stop(id, MCPErrorCode.notCarried, sentence)
        default: break
        }
    }

    mutating func ended(_ id: ExchangeID) {
        guard let exchange = exchanges[id] else { return }
        switch exchange.purpose {
        case .stream:
            exchanges[id] = nil
            streamEnded(id, exchange)
        case .initialized(let notice):
            exchanges[id] = nil
            tellOfRefusal(notice, exchange)
            initializedAnswered(id)
        case .notice(let notice):
            exchanges[id] = nil
            if !lose(notice, of: exchange) { tellOfRefusal(notice, exchange) }
        case .over: exchanges[id] = nil
        case .call, .initialize, .renewal, .listing: callEnded(id, exchange)
        }
    }

    mutating func failed(_ id: ExchangeID, _ failure: BridgeFailure) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        switch exchange.purpose {
        case .stream: streamFailed(id, exchange, failure)
        case .initialized(let notice):
            tellOfFailure(notice, failure)
            initializedAnswered(id)
        case .notice(let notice): tellOfFailure(notice, failure)
        case .over: break
        case .call, .initialize, .renewal, .listing:
            if failure.kind != .personNeeded, let call = exchange.call, takeUpAgain(id, call, exchange) { return }
            if exchange.call?.wasResumed == true {
                return fail(exchange, id, MCPErrorCode.interrupted, failure.message + AnswerSentence.maybe)
            }
            fail(exchange, id, failure.kind.errorCode, failure.sentence)
        }
    }

    private mutating func tellOfFailure(_ notice: Notice, _ failure: BridgeFailure) {
        let isUnknown = failure.kind == .interrupted && failure.mayHaveReachedServer
        tell("\(notice.name) \(isUnknown ? "may not have been" : "was not") delivered: \(failure.message)")
    }

    private mutating func tellOfRefusal(_ notice: Notice, _ exchange: Exchange) {
        guard let answer = exchange.answer else {
            return tell("the server has not answered \(notice.name); it may have received it")
        }
        guard !answer.isSuccess else { return }
        let lost = notice.wasLost ? AnswerSentence.lostAgain : AnswerSentence.lost
        let sentence = exchange.hasLostSession ? lost : AnswerSentence.of(answer, isBeginning: false, era: notice.era)
        tell("\(notice.name) was not delivered: \(sentence)")
    }

    /// Reads an answer to its end of which nothing matters.
    mutating func drain(_ id: ExchangeID, _ answer: BridgeAnswer) {
        exchanges[id] = Exchange(purpose: .over)
        exchanges[id]?.answer = answer
        exchanges[id]?.body = AnswerBody(draining: limits)
    }

    /// An answer without a message for the client may have no end, and others wait behind it.
    mutating func limitRest(_ id: ExchangeID) {
        guard let exchange = exchanges[id], exchange.isNotice || !exchange.body.hasMessages else { return }
        actions.append(.wait(.rest(id), milliseconds: limits.rest))
    }

    /// Nothing more is needed of it.
    mutating func endRest(_ id: ExchangeID) {
        guard exchanges[id] != nil else { return }
        actions.append(.cancel(id))
        ended(id)
    }

    /// Closes an exchange and answers those who wait for it with an error.
    mutating func stop(_ id: ExchangeID, _ code: Int64, _ sentence: String) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        actions.append(.cancel(id))
        if case .stream = exchange.purpose { return streamEnded(id, exchange) }
        fail(exchange, id, code, sentence)
    }

    /// The exchange is over without its answer.
    mutating func fail(_ exchange: Exchange, _ id: ExchangeID, _ code: Int64, _ sentence: String) {
        switch exchange.purpose {
        case .renewal: barrierFailed(id, code, "the server ended the session, and a new one did not begin: \(sentence)")
        case .initialize:
            if let call = exchange.call { fail(call, code, sentence) }
            barrierFailed(id, code, "the session did not begin: \(sentence)")
        case .listing(_, let refusal, _, _):
            if let call = exchange.call { finish(call, with: refusal) }
        case .call: if let call = exchange.call { fail(call, code, sentence) }
        case .initialized: initializedAnswered(id)
        case .notice, .stream, .over: break
        }
    }

    mutating func fail(_ call: Call, _ code: Int64, _ sentence: String) {
        inUse.subtract(call.waiting.keys)
        guard !call.isCancelled else { return }
        for request in call.batch.messages {
            guard let key = request.id.key, call.waits(for: key) else { continue }
            refuse(request.id, code, sentence)
        }
    }

    /// What waited for a session has none.
    private mutating func barrierFailed(_ id: ExchangeID, _ code: Int64, _ sentence: String) {
        guard barrier == id else { return }
        barrier = nil
        let (calls, lines) = (lost, held)
        (lost, held) = ([], [])
        for call in calls { fail(call, code, sentence) }
        for line in lines where !line.requests.isEmpty { refuse(line, code, sentence) }
        for notice in notices where notice.wasLost { tell("\(notice.name) was not delivered: \(sentence)") }
        notices.removeAll(where: \.wasLost)
    }
}

extension BridgeAnswer {
    var isSuccess: Bool { 200..<300 ~= status }
}
