import Glibc
import PosternInterface
import StrictJSON
import Synchronization
import Varlink

/// One connection to the daemon, whose calls block the thread that makes them.
///
/// Calls on one connection go one after another; ``close()`` may come from any thread meanwhile. Closing gives up this
/// side's share of a sign-in that waits.
public final class PosternConnection: Sendable {
    /// Nil once closed. A call that is under way keeps the connection until it has noticed.
    private let connection: Mutex<VarlinkConnection?>
    private let path: String
    private let pulse: VarlinkPulse

    /// - Parameter servers: the users whose daemon is meant, as numbers: this process's own alone if nothing is said.
    /// - Throws: ``PosternError/daemonUnreachable(path:reason:)``, or ``PosternError/foreignDaemon(path:userID:)`` with nothing sent.
    public convenience init(socketPath: String = SocketPath.current, servers: [UInt32] = [geteuid()]) throws(PosternError) {
        try self.init(socketPath: socketPath, servers: servers, pulse: VarlinkPulse())
    }

    /// - Parameter pulse: how soon a daemon that does not answer is given up.
    package init(socketPath: String, servers: [UInt32] = [geteuid()], pulse: VarlinkPulse) throws(PosternError) {
        path = socketPath
        self.pulse = pulse
        do throws(VarlinkClientError) {
            connection = Mutex(try VarlinkConnection(path: socketPath, servers: servers))
        } catch .timedOut {
            // Its queue is full, and it takes nobody out of it.
            throw .daemonUnresponsive(path: socketPath)
        } catch {
            throw PosternError(error, path: socketPath)
        }
    }

    /// Calls a method and reads its reply.
    ///
    /// - Parameter timeoutMilliseconds: nil waits as long as the daemon lives: one that answers nothing else for some seconds is
    ///   ``PosternError/daemonUnresponsive(path:)``.
    public func call<Parameters: MethodParameters>(
        _ parameters: Parameters, timeoutMilliseconds: Int64? = nil
    ) throws(PosternError) -> Parameters.Reply {
        let reply = try call(Parameters.method.name, parameters.object, timeoutMilliseconds: timeoutMilliseconds)
        return try Self.read(Parameters.Reply.self, from: reply)
    }

    /// Calls any method; the reply's parameters as they came.
    public func call(
        _ method: String, _ parameters: JSONObject, timeoutMilliseconds: Int64? = nil
    ) throws(PosternError) -> JSONObject {
        let connection = try current()
        do {
            return try connection.call(
                VarlinkCall(method: method, parameters: parameters), timeout: timeoutMilliseconds.map { .milliseconds($0) }, pulse: pulse)
        } catch {
            throw PosternError(error, path: path)
        }
    }

    /// Calls a method with `more`, and returns after its last reply.
    ///
    /// - Parameters:
    ///   - beginsAtOnce: the first reply does not wait for anybody, so a daemon that gives none is looked after as in ``call(_:_:timeoutMilliseconds:)``.
    ///   - isWatched: no reply waits for a person, so the daemon is looked after all the time that none comes, though less often later.
    ///   - onReply: sees each reply as it comes; an error that it throws ends the wait and is thrown on.
    /// - Throws: ``PosternError``, or what `onReply` throws.
    public func callMore(
        _ method: String, _ parameters: JSONObject, beginsAtOnce: Bool = false, isWatched: Bool = false,
        onReply: (JSONObject) throws -> Void
    ) throws {
        // Events may take hours to come. A daemon that hangs already is found out first.
        if isWatched { _ = try call("org.varlink.service.GetInfo", [:]) }
        var replies = try begin(method, parameters)
        if beginsAtOnce {
            let first: JSONObject?
            do { first = try replies.next(pulse: pulse) } catch { throw PosternError(error, path: path) }
            guard let first else { return }
            try onReply(first)
        }
        try Self.forEach(in: replies, pulse: isWatched ? Self.quietPulse : nil, path: path, onReply)
    }

    /// Of a call that may be quiet for hours: often enough for whoever watches, seldom enough to cost nothing.
    private static let quietPulse = VarlinkPulse(interval: .seconds(10))

    /// The first half of ``callMore(_:_:onReply:)``: when it returns, the call is on its way, before any that is made later.
    package func begin(_ method: String, _ parameters: JSONObject) throws(PosternError) -> VarlinkReplies {
        let connection = try current()
        do { return try connection.callMore(VarlinkCall(method: method, parameters: parameters)) } catch { throw PosternError(error) }
    }

    /// The second half, on any thread.
    package static func forEach(
        in replies: VarlinkReplies, pulse: VarlinkPulse? = nil, path: String = "", _ onReply: (JSONObject) throws -> Void
    ) throws {
        var replies = replies
        while true {
            let reply: JSONObject?
            do { reply = try replies.next(pulse: pulse) } catch { throw PosternError(error, path: path) }
            guard let reply else { return }
            try onReply(reply)
        }
    }

    /// Ends the connection, and with ``PosternError/cancelled`` whatever waits on it. Again is harmless.
    public func close() {
        connection.withLock { connection in
            connection?.cancel()
            connection = nil
        }
    }

    private func current() throws(PosternError) -> VarlinkConnection {
        guard let connection = connection.withLock({ $0 }) else { throw .cancelled }
        return connection
    }

    /// Reads a reply's parameters that came raw.
    public static func read<Reply: InterfaceObject>(_ type: Reply.Type, from object: JSONObject) throws(PosternError) -> Reply {
        do throws(JSONMemberError) {
            return try Reply(object: object)
        } catch {
            throw .malformedReply(reason: error.description)
        }
    }
}

/// Where the daemon listens.
public enum SocketPath {
    /// `$POSTERN_SOCKET`, else `$XDG_RUNTIME_DIR/postern/io.postern`, else the same below `/run/user/UID`.
    ///
    /// - Parameter variable: looks up a variable of the environment; an empty value counts as none.
    public static func find(userID: UInt32, variable: (String) -> String?) -> String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("POSTERN_SOCKET") { return path }
        // The XDG Base Directory Specification has a relative path ignored.
        let runtime = value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(userID)"
        return runtime + "/postern/io.postern"
    }

    /// For this process.
    public static var current: String {
        find(userID: getuid()) { name in getenv(name).map { String(cString: $0) } }
    }
}
