import Glibc
import PosternClient
import StrictJSON
import Synchronization
import Varlink

/// A Varlink service on a real socket that answers as a test says; a thread for each connection.
final class TestDaemon: Sendable {
    /// What a call is answered with.
    enum Answer: Sendable {
        /// The replies in order; all but the last continue.
        case replies([JSONObject])
        case error(String, JSONObject)
        /// Replies that continue, and then silence until the client is gone.
        case silence(after: [JSONObject])
        /// Replies that continue, as the closure gives them, and then silence until the client is gone.
        case stream(@Sendable (_ send: (JSONObject) -> Void) -> Void)
        /// The connection is closed without a reply.
        case hangUp
        /// Bytes as they are.
        case raw([UInt8])
    }

    let path: String
    private let directory: String
    private let listening: Int32
    private let answer: @Sendable (VarlinkCall) -> Answer
    private let seen = Mutex<[VarlinkCall]>([])
    /// Fulfilled when a client went away while it was kept waiting.
    let clientLeft = Signal()

    init(_ answer: @escaping @Sendable (VarlinkCall) -> Answer) throws {
        var template = Array("/tmp/postern-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PosternError.connectionLost(reason: "no directory") }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = directory + "/s"
        self.answer = answer
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listening = listening
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafeBytes(of: &address) {
            bind(listening, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard status == 0, listen(listening, 16) == 0 else { throw PosternError.connectionLost(reason: "no socket") }
        _ = DedicatedThread.start { [weak self] in
            // Closed here alone: the next daemon of a test may get the same number, and this thread would accept its connections.
            defer { close(listening) }
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { return }
                guard let server = self else {
                    close(connection)
                    return
                }
                _ = DedicatedThread.start { server.serve(connection) }
            }
        }
    }

    deinit {
        // Ends the thread that accepts.
        shutdown(listening, Int32(SHUT_RDWR))
        unlink(path)
        rmdir(directory)
    }

    var calls: [VarlinkCall] { seen.withLock { $0 } }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var buffer: [UInt8] = []
        while let message = nextMessage(from: connection, &buffer) {
            guard let call = try? VarlinkCall(parsing: message) else { return }
            seen.withLock { $0.append(call) }
            switch answer(call) {
            case .replies(let replies):
                for (index, reply) in replies.enumerated() {
                    send(["parameters": .object(reply), "continues": .bool(index < replies.count - 1)], to: connection)
                }
            case .error(let name, let parameters):
                send(["error": .string(name), "parameters": .object(parameters)], to: connection)
            case .silence(let replies):
                for reply in replies { send(["parameters": .object(reply), "continues": true], to: connection) }
                return waitForTheEnd(of: connection)
            case .stream(let tell):
                tell { send(["parameters": .object($0), "continues": true], to: connection) }
                return waitForTheEnd(of: connection)
            case .hangUp:
                return
            case .raw(let bytes):
                _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    private func waitForTheEnd(of connection: Int32) {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
        clientLeft.give()
    }

    private func nextMessage(from connection: Int32, _ buffer: inout [UInt8]) -> [UInt8]? {
        while true {
            if let end = buffer.firstIndex(of: 0) {
                defer { buffer.removeFirst(end + 1) }
                return Array(buffer[..<end])
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            buffer += bytes[..<count]
        }
    }

    private func send(_ message: JSONObject, to connection: Int32) {
        let bytes = message.serialized + [0]
        _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

/// Something that happens once and can be waited for.
final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func give() {
        let waiters = state.withLock { state in
            state.isGiven = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isGiven = state.withLock { state in
                if !state.isGiven { state.waiters.append(continuation) }
                return state.isGiven
            }
            if isGiven { continuation.resume() }
        }
    }
}
