/// How a session begins, is begun anew, and ends.
extension StreamableSession {
    mutating func begin(_ line: ClientLine) {
        guard barrier == nil else {
            return refuse(line, MCPErrorCode.invalidRequest, "another initialize has no answer yet")
        }
        endSession()
        era = .session
        barrier = send(Call(line, era: .session), as: .initialize)
    }

    mutating func initializeAnswered(_ id: ExchangeID, _ exchange: Exchange, _ line: [UInt8], _ response: MCPMessage) {
        guard barrier == id, let call = exchange.call else { return write(line) }
        guard !response.hasError else {
            write(line)
            return fail(Exchange(purpose: .initialize), id, MCPErrorCode.notCarried, "the server refused to initialize")
        }
        lastSession += 1
        session = Session(
            number: lastSession, version: response.resultVersion ?? "", id: exchange.answer?.sessionID.value,
            initialize: ClientLine(bytes: call.line, batch: call.batch))
        write(line)
        endBarrier()
    }

    private mutating func endBarrier() {
        barrier = nil
        let calls = lost
        lost = []
        for call in calls { send(call) }
        // One of them may be `notifications/initialized`, which the rest waits for.
        while barrier == nil, !held.isEmpty { start(held.removeFirst()) }
    }

    mutating func sendInitialized(_ line: ClientLine, _ notice: Notice) {
        session?.initialized = line
        barrier = send(notice, as: .initialized(notice))
    }

    mutating func initializedAnswered(_ id: ExchangeID) {
        guard barrier == id else { return }
        openStream()
        endBarrier()
    }

    // MARK: Begun anew

    /// The server no longer knows the session, and did nothing of the call.
    mutating func lose(_ call: Call, of number: Int?) {
        guard !call.isCancelled else { return inUse.subtract(call.waiting.keys) }
        var call = call
        call.wasLost = true
        guard barrier == nil else { return lost.append(call) }
        guard number == session?.number else { return run(call) }
        lost.append(call)
        renew()
    }

    /// True if the notification goes to the next session.
    mutating func lose(_ notice: Notice, of exchange: Exchange) -> Bool {
        guard session != nil, exchange.hasLostSession, notice.outlivesSession, !notice.wasLost else { return false }
        var notice = notice
        notice.wasLost = true
        // The others of its kind have waited for it.
        notices.insert(notice, at: 0)
        if exchange.sessionNumber == session?.number { renew() }
        return true
    }

    mutating func renew() {
        guard barrier == nil, let session else { return }
        closeStream()
        barrier = send(Call(session.initialize, era: .session), as: .renewal)
    }

    mutating func renewalAnswered(_ id: ExchangeID, _ exchange: Exchange, _ response: MCPMessage) {
        guard barrier == id else { return }
        guard !response.hasError, response.resultVersion == session?.version else {
            let reason = response.hasError ? "it refused to initialize" : "it chose another protocol version"
            return fail(Exchange(purpose: .renewal), id, MCPErrorCode.interrupted, reason)
        }
        lastSession += 1
        session?.number = lastSession
        session?.id = exchange.answer?.sessionID.value
        guard let line = session?.initialized else { return endBarrier() }
        sendInitialized(line, Notice(line: line.bytes, batch: line.batch, era: .session))
    }

    // MARK: End

    mutating func endSession() {
        closeStream()
        if session?.id != nil {
            open(Exchange(purpose: .over), BridgeRequest(method: "DELETE", url: url, headers: headersOfSession))
        }
        session = nil
    }
}

extension BridgeAnswer.SessionIDField {
    var value: String? { if case .id(let value) = self { value } else { nil } }
}
