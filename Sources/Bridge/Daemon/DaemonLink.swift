import Glibc
import NIOCore
import NIOPosix
import PosternClient
import PosternInterface
import StrictJSON
import Varlink

/// Calls the daemon on its Unix socket. On the event loop alone.
///
/// The daemon carries out one call of a connection after the other, so that each call under way has a connection of its own. One that was
/// restarted is connected to again.
final class DaemonLink {
    struct Limits {
        /// At once, beside those of ``follow(_:onReply:onEnd:)``.
        var connections = 8
        /// Calls that wait for one of these.
        var waiting = 256
        /// A connection without a call keeps the daemon from ending when it is idle.
        var idle = TimeAmount.seconds(5)
        /// For a reply: the provider may be asked meanwhile, more than once.
        var reply = TimeAmount.seconds(120)
        /// How soon to give up on a daemon that answers nothing else meanwhile.
        var pulse = VarlinkPulse()
        var replyBytes = VarlinkConnection.replyLimit
        /// For a place in the daemon's queue of connections, if that is full.
        var connect = TimeAmount.seconds(5)
    }

    private typealias Opened = Result<DaemonConnection, PosternError>

    private let path: String
    private let servers: [UInt32]
    private let eventLoop: any EventLoop
    private let limits: Limits
    /// Without a call; the last one was used last.
    private var resting: [(connection: DaemonConnection, end: Scheduled<Void>)] = []
    private var open = 0
    private var waiting: [(number: Int, start: () -> Void)] = []
    private lazy var pulse = DaemonPulse(limits.pulse, eventLoop: eventLoop) { [unowned self] done in
        follow(VarlinkCall(method: "org.varlink.service.GetInfo"), onReply: { _ in }, onEnd: done)
    }

    /// - Parameters:
    ///   - socketPath: the daemon's.
    ///   - servers: the users that the daemon may run as.
    init(
        socketPath: String = SocketPath.current, servers: [UInt32] = [geteuid()], eventLoop: any EventLoop, limits: Limits = Limits()
    ) {
        path = socketPath
        self.servers = servers
        self.eventLoop = eventLoop
        self.limits = limits
    }

    // MARK: Calls

    /// Calls a method, and reports its reply, never before this has returned.
    ///
    /// - Parameter isRepeatable: called once more if the connection ends before the reply. Any method is, if it was not sent whole.
    func call<Call: MethodParameters>(
        _ parameters: Call, isRepeatable: Bool = false, then done: @escaping (Result<Call.Reply, PosternError>) -> Void
    ) {
        call(VarlinkCall(method: Call.method.name, parameters: parameters.object), triesLeft: isRepeatable ? 1 : 0) { result in
            do throws(PosternError) {
                done(.success(try PosternConnection.read(Call.Reply.self, from: try result.get())))
            } catch { done(.failure(error)) }
        }
    }

    private func call(
        _ call: VarlinkCall, triesLeft: Int, then done: @escaping (Result<JSONObject, PosternError>) -> Void
    ) {
        guard open < limits.connections || !resting.isEmpty else {
            guard waiting.count < limits.waiting else {
                return later { done(.failure(.connectionLost(reason: "too many calls wait for it"))) }
            }
            let number = pulse.began { number in
                self.waiting.removeAll { $0.number == number }
                done(.failure(.daemonUnresponsive(path: self.path)))
            }
            return waiting.append((number, { self.call(call, triesLeft: triesLeft, then: done) }))
        }
        connected { opened in
            switch opened {
            case .failure(let error): done(.failure(error))
            case .success(let connection): self.send(call, on: connection, triesLeft: triesLeft, then: done)
            }
        }
    }

    private func send(
        _ call: VarlinkCall, on connection: DaemonConnection, triesLeft: Int,
        then done: @escaping (Result<JSONObject, PosternError>) -> Void
    ) {
        var deadline: Scheduled<Void>?
        var number = 0
        var isOver = false
        func ended() {
            isOver = true
            deadline?.cancel()
            pulse.ended(number)
        }
        func giveUp() {
            ended()
            connection.close()
            connectionEnded()
            done(.failure(.daemonUnresponsive(path: path)))
        }
        connection.send(call) { event in
            ended()
            switch event {
            case .reply(.parameters(let object, continues: false)):
                self.rest(connection)
                done(.success(object))
            case .reply(.error(let error)):
                self.rest(connection)
                done(.failure(PosternError(error)))
            case .reply(.parameters(_, continues: true)):
                connection.close()
                self.connectionEnded()
                done(.failure(.malformedReply(reason: "it announces further ones")))
            case .ended(let error):
                self.connectionEnded()
                guard case .connectionLost = error, triesLeft > 0 else { return done(.failure(error)) }
                // Those of the daemon that is gone.
                self.close()
                self.call(call, triesLeft: triesLeft - 1, then: done)
            }
        }
        guard !isOver else { return }
        // Behind the call: the daemon works meanwhile.
        deadline = eventLoop.assumeIsolated().scheduleTask(in: limits.reply) { giveUp() }
        number = pulse.began { _ in giveUp() }
    }

    /// A call with many replies, on a connection of its own.
    final class Following {
        fileprivate var connection: DaemonConnection?
        fileprivate var isOver = false

        /// Gives it up, and with it this side's share of a sign-in; nothing more is reported.
        func cancel() {
            isOver = true
            connection?.close()
            connection = nil
        }
    }

    /// Calls a method with `more`.
    ///
    /// - Parameters:
    ///   - onReply: called for each reply.
    ///   - onEnd: called once, after the last reply or for an error.
    func follow<Call: MethodParameters>(
        _ parameters: Call, onReply: @escaping (Call.Reply) -> Void, onEnd: @escaping (PosternError?) -> Void
    ) -> Following {
        let call = VarlinkCall(method: Call.method.name, parameters: parameters.object, more: true)
        return follow(
            call, onReply: { object throws(PosternError) in onReply(try PosternConnection.read(Call.Reply.self, from: object)) },
            onEnd: onEnd)
    }

    private func follow(
        _ call: VarlinkCall, onReply: @escaping (JSONObject) throws(PosternError) -> Void, onEnd: @escaping (PosternError?) -> Void
    ) -> Following {
        let following = Following()
        func end(_ error: PosternError?) {
            guard !following.isOver else { return }
            following.cancel()
            onEnd(error)
        }
        func read(_ object: JSONObject) {
            guard !following.isOver else { return }
            do throws(PosternError) { try onReply(object) } catch { end(error) }
        }
        connect(until: .now() + limits.connect) { opened in
            switch opened {
            case .failure(let error): end(error)
            case .success(let connection):
                guard !following.isOver else { return connection.close() }
                following.connection = connection
                connection.send(call) { event in
                    switch event {
                    case .reply(.parameters(let object, let continues)):
                        read(object)
                        if !continues { end(nil) }
                    case .reply(.error(let error)): end(PosternError(error))
                    case .ended(let error): end(error)
                    }
                }
            }
        }
        return following
    }

    /// Closes what is not in use.
    func close() { while !resting.isEmpty { closeOldest() } }

    // MARK: Connections

    /// One that rests, or a new one; ``open`` counts it.
    private func connected(_ done: @escaping (Opened) -> Void) {
        guard let (connection, end) = resting.popLast() else {
            open += 1
            return connectedAnew(done)
        }
        end.cancel()
        // The daemon may close it before the next turn, when nobody hears of that; then another one takes its place.
        later { if connection.isOpen { done(.success(connection)) } else { self.connectedAnew(done) } }
    }

    private func connectedAnew(_ done: @escaping (Opened) -> Void) {
        connect(until: .now() + limits.connect) { opened in
            if case .failure = opened { self.connectionEnded() }
            done(opened)
        }
    }

    private func connect(until deadline: NIODeadline, _ done: @escaping (Opened) -> Void) {
        let descriptor: CInt
        do throws(VarlinkClientError) { descriptor = try ConnectedSocket.open(path: path, servers: servers) } catch {
            guard error == .timedOut, .now() < deadline else {
                let failure = error == .timedOut ? PosternError.daemonUnresponsive(path: path) : PosternError(error, path: path)
                return later { done(.failure(failure)) }
            }
            // Nobody tells when its queue has room again (connect(2)).
            eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(10)) { self.connect(until: deadline, done) }
            return
        }
        ClientBootstrap(group: eventLoop).withConnectedSocket(descriptor).assumeIsolated().whenComplete { result in
            guard case .success(let channel) = result else {
                return done(.failure(.daemonUnreachable(path: self.path, reason: "the connection was not set up")))
            }
            let connection = DaemonConnection(channel, limit: self.limits.replyBytes)
            guard (try? channel.pipeline.syncOperations.addHandler(connection)) != nil else {
                return done(.failure(PosternError(VarlinkClientError.connectionClosed)))
            }
            done(.success(connection))
        }
    }

    private func rest(_ connection: DaemonConnection) {
        guard connection.isOpen else { return connectionEnded() }
        let end = eventLoop.assumeIsolated().scheduleTask(in: limits.idle) { [weak self, weak connection] in
            guard let self, let index = resting.firstIndex(where: { $0.connection === connection }) else { return }
            closeResting(at: index)
        }
        resting.append((connection, end))
        connection.rest { [weak self, weak connection] in
            guard let self, let index = resting.firstIndex(where: { $0.connection === connection }) else { return }
            closeResting(at: index)
        }
        next()
    }

    private func closeOldest() { closeResting(at: 0) }

    private func closeResting(at index: Int) {
        let (connection, end) = resting.remove(at: index)
        end.cancel()
        connection.close()
        connectionEnded()
    }

    private func connectionEnded() {
        open -= 1
        next()
    }

    private func next() {
        guard !waiting.isEmpty, open < limits.connections || !resting.isEmpty else { return }
        let (number, start) = waiting.removeFirst()
        pulse.ended(number)
        start()
    }

    private func later(_ body: @escaping () -> Void) { eventLoop.assumeIsolated().execute(body) }
}
