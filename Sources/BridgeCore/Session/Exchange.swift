/// A line of the client.
struct ClientLine: Sendable {
    let bytes: [UInt8]
    let batch: MCPBatch

    /// Nil for an array.
    var message: MCPMessage? { batch.isArray ? nil : batch.messages.first }
    var requests: [MCPMessage] { batch.messages.filter { $0.kind == .request } }
    func hasMethod(_ method: String) -> Bool { batch.messages.contains { $0.method == method } }
}

/// A request of the client, or an array of some, until each has its answer.
struct Call: Sendable {
    private(set) var line: [UInt8]
    let batch: MCPBatch
    let era: Era
    /// The requests without an answer, with the `id` as the client wrote it.
    private(set) var waiting: [MessageID.Key: MessageID] = [:]
    /// The client does not expect an answer any more. One that comes is passed on, but none is made up.
    var isCancelled = false
    /// The session was begun anew for it.
    var wasLost = false
    /// The tools were listed for it.
    var wasRefused = false

    // Of its stream.
    var lastEventID: String?
    var retry: Int64?
    var failedResumptions = 0
    var wasResumed = false

    init(_ line: ClientLine, era: Era) {
        self.line = line.bytes
        batch = line.batch
        self.era = era
        for request in line.requests { if let key = request.id.key { waiting[key] = request.id } }
    }

    /// Nil for an array.
    var message: MCPMessage? { batch.isArray ? nil : batch.messages.first }

    /// For a call of a tool whose header fields were not right; once.
    var toBeListed: Call? {
        guard message?.method == "tools/call", era.isStateless, !wasRefused else { return nil }
        var call = self
        call.wasRefused = true
        return call
    }

    var isDone: Bool { waiting.isEmpty || isCancelled }
    func waits(for key: MessageID.Key) -> Bool { waiting[key] != nil }
    /// It has an answer, so it is not sent again.
    mutating func dropLine() { line = [] }
    mutating func answered(_ key: MessageID.Key) -> Bool { waiting.removeValue(forKey: key) != nil }
}

/// A notification or response of the client.
struct Notice: Sendable {
    let line: [UInt8]
    let batch: MCPBatch
    let era: Era
    /// The session was begun anew for it.
    var wasLost = false

    /// Whether it means something in another session. Responses and cancellations are about requests of this one.
    var outlivesSession: Bool { batch.messages.allSatisfy { $0.kind == .notification && $0.method != "notifications/cancelled" } }
    /// Sent one after the other. Responses and cancellations do not wait: somebody waits for them.
    var isOrdered: Bool { batch.isArray || outlivesSession }
    var name: String {
        guard let message = batch.messages.first, message.kind == .notification else { return "a response" }
        return message.method.utf8.count <= 64 && message.method.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) ? message.method : "a notification"
    }
}

/// A request over HTTP that is under way.
struct Exchange: Sendable {
    let purpose: Purpose
    /// Until its answer begins.
    var request: BridgeRequest?
    /// The session that it names, if it names one.
    var sessionNumber: Int?
    var redirects = 0
    var answer: BridgeAnswer?
    var body = AnswerBody()

    enum Purpose: Sendable {
        case call
        case initialize
        /// `initialize` and `notifications/initialized` of a session that is begun anew.
        case renewal
        case initialized(Notice)
        case notice(Notice)
        /// The stream of the server's own messages.
        case stream
        /// `tools/list` for a call that was refused because its fields were missing, with that refusal.
        case listing(id: MessageID, refusal: [UInt8], isFirstPage: Bool, pages: Int)
        /// Nothing of it matters any more. It is read to its end, so that its connection can be used again.
        case over
    }

    /// Of the purposes that have one.
    var call: Call?

    init(purpose: Purpose, call: Call? = nil) {
        self.purpose = purpose
        self.call = call
    }

    mutating func answered(_ answer: BridgeAnswer, _ limits: SessionLimits) {
        request = nil
        self.answer = answer
        body = AnswerBody(of: answer, limits: limits)
        // It has been accepted, so its line is not sent again.
        if case .call = purpose, answer.isSuccess { call?.dropLine() }
    }

    /// Nothing that the server answers is for the client.
    var isNotice: Bool {
        switch purpose {
        case .notice, .initialized: true
        case .call, .initialize, .renewal, .stream, .listing, .over: false
        }
    }

    /// The server does not know the session. It may say 404 for a method that it does not know, too.
    var hasLostSession: Bool {
        answer?.status == 404 && sessionNumber != nil && body.error?.response.errorCode != MCPErrorCode.methodNotFound
    }

    var size: Int {
        let line =
            switch purpose {
            case .notice(let notice), .initialized(let notice): notice.line.count
            default: call?.line.count ?? 0
            }
        return line + body.size
    }
}

extension MCPErrorCode {
    static let methodNotFound: Int64 = -32601
    static let headerMismatch: Int64 = -32020
    /// Header and body differ, a capability is missing, the version is not supported: servers of 2026-07-28 and later have these alone.
    static let stateless: ClosedRange<Int64> = -32022 ... -32020
    /// What SDKs before 2026-07-28 gave for a request without a session.
    static let oldServerError: Int64 = -32000
}

extension CompactedMessage {
    /// The line as the answer to that request, for a refusal whose place says which it is about: servers give it an `id` of their own, or none.
    func line(answering id: MessageID) -> [UInt8] {
        guard let message = batch.messages.first, case .raw = message.id, message.id.key != id.key, let place = message.idRange else {
            return line(filling: id)
        }
        return line[..<place.lowerBound] + id.bytes + line[place.upperBound...]
    }
}
