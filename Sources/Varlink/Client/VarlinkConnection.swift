import Glibc
import StrictJSON
import Synchronization

/// A blocking connection to a Varlink service on a Unix socket, for command lines and simple programs.
///
/// One call at a time: a second thread waits until the first has its reply. The connection closes with its last reference. After any error
/// except `remote` and `busy` it can no longer be used.
public final class VarlinkConnection: Sendable {
    private struct State {
        var received: [UInt8] = []
        /// Bytes of `received` that contain no NUL.
        var searched = 0
        /// Why the connection can carry no more calls.
        var ended: VarlinkClientError?
        /// The call whose replies are being read; if it is later than the reader's, that one was abandoned.
        var openCall: Int?
        var lastCall = 0
    }

    /// Bytes of one reply; a service is trusted more than a client, but not with all of our memory.
    public static let replyLimit = 16 << 20

    private let socket: ClientSocket
    private let path: String
    private let servers: [UInt32]
    private let state = Mutex(State())

    /// Connects, and verifies before anything is sent that the service runs as a trusted user.
    ///
    /// - Parameters:
    ///   - servers: the users that the service may run as, as numbers. By default only this process's own; root is no exception.
    ///   - timeout: how long to wait if the service's queue is full; nil waits forever.
    public init(
        path: String, servers: [UInt32] = [geteuid()], timeout: Duration? = .seconds(5)
    ) throws(VarlinkClientError) {
        socket = try ClientSocket(path: path, servers: servers, deadline: Deadline(after: timeout))
        self.path = path
        self.servers = servers
    }

    /// Ends the waiting call, and all later ones, with `cancelled`. May be called from any thread and from a
    /// signal handler.
    public func cancel() { socket.cancel() }

    /// Makes a call and waits for its only reply; for a `oneway` call, only until it is sent.
    ///
    /// - Parameters:
    ///   - timeout: for the whole exchange; nil waits forever.
    ///   - pulse: ends the wait with `unresponsive` if the service answers nothing else either.
    /// - Returns: the reply's parameters; nothing for a `oneway` call.
    @discardableResult
    public func call(_ call: VarlinkCall, timeout: Duration? = nil, pulse: VarlinkPulse? = nil) throws(VarlinkClientError) -> JSONObject {
        var call = call
        call.more = false
        let deadline = Deadline(after: timeout)
        let number = try begin(call, deadline: deadline)
        if call.oneway { return [:] }
        switch try nextReply(to: number, deadline: deadline, pulse: pulse) {
        case .parameters(let parameters, continues: false): return parameters
        case .parameters(_, continues: true):
            throw end(.protocolViolation("a reply to a call without `more` announces further replies"))
        case .error(let error): throw .remote(error)
        }
    }

    /// Makes a call with `more`; the replies are read one by one from the result.
    ///
    /// - Parameter timeout: for sending; each reply has its own.
    public func callMore(_ call: VarlinkCall, timeout: Duration? = nil) throws(VarlinkClientError) -> VarlinkReplies {
        var call = call
        call.more = true
        call.oneway = false
        return VarlinkReplies(connection: self, call: try begin(call, deadline: Deadline(after: timeout)))
    }

    // MARK: - One exchange

    private func begin(_ call: VarlinkCall, deadline: Deadline?) throws(VarlinkClientError) -> Int {
        var bytes: [UInt8] = []
        call.serialize(into: &bytes)
        bytes.append(MessageEnding.nul.rawValue)
        let message = bytes
        return try withState { (state: inout State) throws(VarlinkClientError) in
            if state.openCall != nil { throw .busy }
            do throws(VarlinkClientError) { try self.socket.send(message, deadline: deadline) } catch {
                // A service that refuses the connection may have sent the reason before it closed.
                if error != .connectionClosed || call.oneway { throw error }
            }
            state.lastCall += 1
            if !call.oneway { state.openCall = state.lastCall }
            return state.lastCall
        }
    }

    func nextReply(to call: Int, deadline: Deadline?, pulse: VarlinkPulse?) throws(VarlinkClientError) -> VarlinkReply {
        try withState { (state: inout State) throws(VarlinkClientError) in
            guard state.openCall == call else { throw .busy }
            let reply = try self.readReply(&state, deadline: deadline, pulse: pulse)
            if case .parameters(_, continues: true) = reply {} else { state.openCall = nil }
            return reply
        }
    }

    private func readReply(
        _ state: inout State, deadline: Deadline?, pulse: VarlinkPulse?
    ) throws(VarlinkClientError) -> VarlinkReply {
        var beat = Deadline(after: pulse?.interval)
        while true {
            if let end = state.received[state.searched...].firstIndex(of: MessageEnding.nul.rawValue) {
                let result: Result<VarlinkReply, VarlinkClientError> = state.received.withUnsafeBytes { bytes in
                    let message = UnsafeRawBufferPointer(rebasing: bytes[..<end])
                    do throws(VarlinkClientError) { return .success(try VarlinkReply(parsing: message)) } catch { return .failure(error) }
                }
                state.received.removeSubrange(...end)
                state.searched = 0
                return try result.get()
            }
            state.searched = state.received.count
            guard state.searched <= Self.replyLimit else {
                throw .protocolViolation("a reply is longer than \(Self.replyLimit) bytes")
            }
            if let pulse, beat?.hasPassed == true {
                guard pulse.isFelt(path: path, servers: servers) else { throw .unresponsive }
                beat = Deadline(after: pulse.interval)
            }
            do throws(VarlinkClientError) {
                try socket.receive(into: &state.received, deadline: Deadline.earlier(deadline, beat))
            } catch {
                guard error == .timedOut, deadline?.hasPassed != true else { throw error }
            }
        }
    }

    /// Runs one step of an exchange; an error that leaves the stream at an unknown position ends the connection.
    private func withState<Value: Sendable>(
        _ body: @Sendable (inout State) throws(VarlinkClientError) -> Value
    ) throws(VarlinkClientError) -> Value {
        let result: Result<Value, VarlinkClientError> = state.withLock { state in
            if let ended = state.ended { return .failure(ended) }
            do throws(VarlinkClientError) { return .success(try body(&state)) } catch {
                if error != .busy { state.ended = error }
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func end(_ error: VarlinkClientError) -> VarlinkClientError {
        state.withLock { $0.ended = error }
        return error
    }
}

/// The replies to a call with `more`, in order.
public struct VarlinkReplies: Sendable {
    private let connection: VarlinkConnection
    private let call: Int
    private var isFinished = false

    init(connection: VarlinkConnection, call: Int) {
        self.connection = connection
        self.call = call
    }

    /// Waits for the next reply; nil after the last one.
    ///
    /// - Parameters:
    ///   - timeout: for this reply; nil waits forever.
    ///   - pulse: ends the wait with `unresponsive` if the service answers nothing else either.
    /// - Throws: `VarlinkClientError`; an error from the service is the last reply.
    public mutating func next(timeout: Duration? = nil, pulse: VarlinkPulse? = nil) throws(VarlinkClientError) -> JSONObject? {
        if isFinished { return nil }
        switch try connection.nextReply(to: call, deadline: Deadline(after: timeout), pulse: pulse) {
        case .parameters(let parameters, let continues):
            isFinished = !continues
            return parameters
        case .error(let error):
            isFinished = true
            throw .remote(error)
        }
    }
}
