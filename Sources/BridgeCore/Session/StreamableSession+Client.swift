/// What the client sends.
extension StreamableSession {
    mutating func lineReceived(_ bytes: [UInt8]) {
        do throws(MCPReadError) {
            accept(ClientLine(bytes: bytes, batch: try MCPBatch(reading: bytes)))
        } catch {
            write(MCPError.line(error))
        }
    }

    private mutating func accept(_ line: ClientLine) {
        if line.message?.kind == .notification, line.message?.method == "notifications/cancelled", cancelled(line) { return }
        guard claimIDs(of: line) else { return }
        if let message = line.message {
            if message.kind == .request, message.method == "initialize" { return begin(line) }
            if let version = statelessVersion(of: message) { return startStateless(line, message, version: version) }
        }
        if barrier == nil { start(line) } else { held.append(line) }
    }

    /// An `id` names one request at a time.
    private mutating func claimIDs(of line: ClientLine) -> Bool {
        var claimed: Set<MessageID.Key> = []
        for request in line.requests {
            guard let key = request.id.key, !inUse.contains(key), claimed.insert(key).inserted else {
                let refused = line.requests.map(\.id)
                for id in refused {
                    refuse(id, MCPErrorCode.invalidRequest, "another request with the same id has no answer yet")
                }
                return false
            }
        }
        inUse.formUnion(claimed)
        return true
    }

    /// Nil for a message of a session.
    private func statelessVersion(of message: MCPMessage) -> String? {
        if let version = message.metaVersion { return version }
        guard message.kind != .response else { return nil }
        if message.method == "server/discover" { return "2026-07-28" }
        if case .stateless(let version) = era { return version }
        return nil
    }

    private mutating func startStateless(_ line: ClientLine, _ message: MCPMessage, version: String) {
        // A session goes on beside such a message; without one, what follows belongs to it.
        if session == nil, barrier == nil { era = .stateless(version: version) }
        if message.kind == .request {
            run(Call(line, era: .stateless(version: version)))
        } else {
            notices.append(Notice(line: line.bytes, batch: line.batch, era: .stateless(version: version)))
        }
    }

    /// A message of a session, when nothing that was sent before must be answered first.
    mutating func start(_ line: ClientLine) {
        if line.batch.isArray {
            if line.hasMethod("initialize") {
                return refuse(line, MCPErrorCode.invalidRequest, "initialize must not be part of an array")
            }
            guard session?.hasBatches == true else {
                return refuse(
                    line, MCPErrorCode.invalidRequest,
                    "arrays of messages are part of MCP 2025-03-26 alone, which this session does not use")
            }
        }
        guard line.requests.isEmpty else { return run(Call(line, era: .session)) }
        guard !era.isStateless else {
            return tell("the client sent a response, which MCP 2026-07-28 has no place for; it was dropped")
        }
        let notice = Notice(line: line.bytes, batch: line.batch, era: .session)
        if session != nil, session?.initialized == nil, line.hasMethod("notifications/initialized") {
            sendInitialized(line, notice)
        } else {
            notices.append(notice)
        }
    }

    /// Answers every request of the line with an error; of a line without one, a person is told.
    mutating func refuse(_ line: ClientLine, _ code: Int64, _ sentence: String) {
        for request in line.requests {
            if let key = request.id.key { inUse.remove(key) }
            refuse(request.id, code, sentence)
        }
        if line.requests.isEmpty { line.batch.isArray ? refuse(.null, code, sentence) : tell(sentence) }
    }

    mutating func refuse(_ id: MessageID, _ code: Int64, _ sentence: String) {
        hasAnswer = true
        write(MCPError.line(id: id, code: code, message: sentence))
    }

    /// True if the notification is not to be sent: what it cancels was not sent either, or ends with its connection (2026-07-28).
    private mutating func cancelled(_ line: ClientLine) -> Bool {
        let isStateless = line.message?.metaVersion != nil || era.isStateless
        guard let key = line.message?.cancelledID.key else { return isStateless }
        if let call = withdraw(key) { return forget(call) }
        for (id, exchange) in exchanges {
            guard let call = exchange.call, exchange.purpose.isClients, call.waits(for: key) else { continue }
            guard call.era.isStateless else {
                exchanges[id]?.call?.isCancelled = call.waiting.count == 1
                return false
            }
            actions.append(.cancel(id))
            exchanges[id] = nil
            return forget(call)
        }
        for (id, call) in broken where call.waits(for: key) { broken[id]?.isCancelled = call.waiting.count == 1 }
        return isStateless
    }

    private mutating func forget(_ call: Call) -> Bool {
        inUse.subtract(call.waiting.keys)
        return true
    }

    /// Takes back a request that is not with the server. One of an array is not told apart.
    private mutating func withdraw(_ key: MessageID.Key) -> Call? {
        func isIt(_ call: Call) -> Bool { call.waiting.count == 1 && call.waits(for: key) }
        if let index = held.firstIndex(where: { isIt(Call($0, era: .session)) }) { return Call(held.remove(at: index), era: .session) }
        if let index = queue.firstIndex(where: isIt) { return queue.remove(at: index) }
        if let index = lost.firstIndex(where: isIt) { return lost.remove(at: index) }
        return nil
    }
}
