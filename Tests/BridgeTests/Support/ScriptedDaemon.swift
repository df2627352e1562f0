import Glibc
import PosternInterface
import StrictJSON
import Synchronization
import Testing
import Varlink

/// A daemon on a real Unix socket that answers as a test says, each connection on a thread of its own.
final class ScriptedDaemon: Sendable {
    enum Answer: Sendable {
        case reply(JSONObject)
        /// To a call with `more`; the connection stays open.
        case replies([JSONObject])
        case error(InterfaceError)
        /// And the connection is closed.
        case lastReply(JSONObject)
        /// The connection is closed instead.
        case none
    }

    struct Call: Sendable {
        var method: String
        var parameters: JSONObject
        /// Counted from 1.
        var connection: Int
    }

    private struct State {
        var calls: [Call] = []
        var connections = 0
        var open: [Int: CInt] = [:]
        var mostAtOnce = 0
        /// Bytes that arrived, of any kind.
        var received = 0
    }

    let path: String
    private let state = Mutex(State())
    private let listener: Mutex<CInt>
    private let answer: @Sendable (Call, ScriptedDaemon) -> Answer

    /// - Parameter answer: on the connection's thread, which it may block.
    init(_ answer: @escaping @Sendable (Call, ScriptedDaemon) -> Answer) throws {
        var template = Array("/tmp/postern-bridge.XXXXXX".utf8CString)
        let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        path = "\(directory)/io.postern"
        self.answer = answer
        listener = Mutex(-1)
        try listen()
    }

    deinit {
        stop()
        rmdir(String(path.dropLast("/io.postern".count)))
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var connections: Int { state.withLock { $0.connections } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
    var received: Int { state.withLock { $0.received } }

    func calls(of method: String) -> [JSONObject] { calls.filter { $0.method == "io.postern.\(method)" }.map(\.parameters) }

    /// All connections end, and nobody listens any more.
    func stop() {
        let descriptor = listener.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        // Ends the thread that accepts.
        if descriptor >= 0 { shutdown(descriptor, CInt(SHUT_RDWR)) }
        unlink(path)
        state.withLock { state in for descriptor in state.open.values { shutdown(descriptor, CInt(SHUT_RDWR)) } }
    }

    func listen() throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let address = try #require(UnixSocketAddress(path: path))
        try #require(address.withSockaddr { bind(descriptor, $0, $1) } == 0 && Glibc.listen(descriptor, 64) == 0)
        listener.withLock { $0 = descriptor }
        inThread { [weak self] in
            // Closed here alone: the next daemon of a test may get the same number, and this thread would accept its connections.
            defer { close(descriptor) }
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                guard let daemon = self else { return _ = close(accepted) }
                let number = daemon.state.withLock { state in
                    state.connections += 1
                    state.open[state.connections] = accepted
                    state.mostAtOnce = max(state.mostAtOnce, state.open.count)
                    return state.connections
                }
                inThread { daemon.serve(accepted, number) }
            }
        }
    }

    private func serve(_ descriptor: CInt, _ number: Int) {
        defer {
            state.withLock { $0.open[number] = nil }
            close(descriptor)
        }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            while let end = received.firstIndex(of: 0) {
                guard let parsed = try? VarlinkCall(parsing: Array(received[..<end])) else { return }
                received.removeSubrange(...end)
                let call = Call(method: parsed.method, parameters: parsed.parameters, connection: number)
                state.withLock { $0.calls.append(call) }
                switch answer(call, self) {
                case .reply(let object): send(["parameters": .object(object)], to: descriptor)
                case .replies(let objects):
                    for object in objects { send(["parameters": .object(object), "continues": true], to: descriptor) }
                case .error(let error): send(["error": .string(error.name), "parameters": .object(error.object)], to: descriptor)
                case .lastReply(let object): return send(["parameters": .object(object)], to: descriptor)
                case .none: return
                }
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return }
            state.withLock { $0.received += count }
            received += chunk[..<count]
        }
    }

    private func send(_ message: JSONObject, to descriptor: CInt) {
        var bytes: [UInt8] = []
        message.serialize(into: &bytes)
        bytes.append(0)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Threads of tests are never joined: the process ends them.
func inThread(_ body: @escaping @Sendable () -> Void) {
    final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(body))
    pthread_create(
        &thread, nil,
        { job in
            if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
            return nil
        }, job.toOpaque())
    pthread_detach(thread)
}
