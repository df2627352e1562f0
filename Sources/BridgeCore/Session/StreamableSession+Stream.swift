/// The stream on which the server sends what answers no request.
struct ServerStream: Sendable {
    var state = State.none
    /// It was there once, so the server has one.
    var wasOpen = false
    var lastEventID: String?
    var retry: Int64?
    /// One after the other, without an event.
    var failures = 0

    enum State: Sendable, Hashable {
        case none
        case open(ExchangeID)
        /// Until the time that is named by the exchange that ended.
        case pausing(ExchangeID)
        /// Until a request shows that the server takes the authorization again.
        case asleep
    }
}

extension StreamableSession {
    mutating func openStream() { stream.state = .open(get(lastEventID: stream.lastEventID, Exchange(purpose: .stream))) }

    mutating func closeStream() {
        if case .open(let id) = stream.state { abandon(id) }
        stream = ServerStream()
    }

    mutating func streamAnswered(_ id: ExchangeID, _ answer: BridgeAnswer) {
        if answer.status == 200, answer.mediaType == "text/event-stream" { return stream.wasOpen = true }
        drain(id, answer)
        switch answer.status {
        case 404 where stream.wasOpen && session?.id != nil:
            stream.state = .none
            renew()
        case 401: stream.state = .asleep
        case 409, 429, 500..<600: pauseStream(id, atLeast: answer.retryAfter)
        case 400 where stream.lastEventID != nil:
            stream.lastEventID = nil
            pauseStream(id)
        default: stream.state = .none
        }
    }

    mutating func streamEnded(_ id: ExchangeID, _ exchange: Exchange) {
        if let eventID = exchange.body.reader.resumptionID { stream.lastEventID = eventID }
        if let retry = exchange.body.reader.retry { stream.retry = retry }
        pauseStream(id)
    }

    mutating func streamFailed(_ id: ExchangeID, _ exchange: Exchange, _ failure: BridgeFailure) {
        if failure.kind == .personNeeded { return stream.state = .asleep }
        streamEnded(id, exchange)
    }

    mutating func wakeStream() { if stream.state == .asleep { openStream() } }

    private mutating func pauseStream(_ id: ExchangeID, atLeast seconds: Int64? = nil) {
        guard stream.state == .open(id) else { return }
        let pause = Pause.milliseconds(failures: stream.failures, retry: stream.retry)
        stream.failures += 1
        stream.state = .pausing(id)
        actions.append(.wait(.resume(id), milliseconds: max(pause, min(seconds ?? 0, 3600) * 1000)))
    }
}
