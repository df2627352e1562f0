import Glibc
import PosternInterface
import StrictJSON
import Synchronization
import Varlink

/// A connection to the daemon. Its calls block the calling thread.
///
/// Calls on one connection run one after another; ``close()`` may be called from any thread meanwhile. Closing gives up
/// this side's share of a waiting sign-in.
public final class PosternConnection: Sendable {
    /// Nil once closed. A call under way keeps the connection until it notices.
    private let connection: Mutex<VarlinkConnection?>
    private let path: String
    private let pulse: VarlinkPulse

    /// Connects.
    ///
    /// - Parameters:
    ///   - socketPath: by default the one of ``SocketPath/current``.
    ///   - servers: the numeric IDs of the users whose daemon is accepted; by default this process's own user alone.
    /// - Throws: ``PosternError/daemonUnreachable(path:reason:)``, or ``PosternError/foreignDaemon(path:userID:)``, before anything is
    ///   sent.
    public convenience init(socketPath: String = SocketPath.current, servers: [UInt32] = [geteuid()]) throws(PosternError) {
        try self.init(socketPath: socketPath, servers: servers, pulse: VarlinkPulse())
    }

    /// - Parameter pulse: how soon to give up on a daemon that does not answer.
    package init(socketPath: String, servers: [UInt32] = [geteuid()], pulse: VarlinkPulse) throws(PosternError) {
        path = socketPath
        self.pulse = pulse
        do throws(VarlinkClientError) {
            connection = Mutex(try VarlinkConnection(path: socketPath, servers: servers))
        } catch .timedOut {
            // The daemon's queue of connections is full, and it accepts none.
            throw .daemonUnresponsive(path: socketPath)
        } catch {
            throw PosternError(error, path: socketPath)
        }
    }

    /// Calls a method and reads its reply.
    ///
    /// - Parameters:
    ///   - parameters: those of the method, which their type names.
    ///   - timeoutMilliseconds: nil waits as long as the daemon lives; ``PosternError/daemonUnresponsive(path:)`` is thrown if it answers
    ///     nothing else for some seconds.
    /// - Throws: ``PosternError/refused(_:)`` for an error of the interface.
    public func call<Parameters: MethodParameters>(
        _ parameters: Parameters, timeoutMilliseconds: Int64? = nil
    ) throws(PosternError) -> Parameters.Reply {
        let reply = try call(Parameters.method.name, parameters.object, timeoutMilliseconds: timeoutMilliseconds)
        return try Self.read(Parameters.Reply.self, from: reply)
    }

    /// Calls any method, and returns the parameters of the reply unparsed.
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

    /// Makes one call on a connection of its own.
    package static func call<Parameters: MethodParameters>(
        _ parameters: Parameters, at socketPath: String, timeoutMilliseconds: Int64? = nil
    ) throws(PosternError) -> Parameters.Reply {
        let connection = try PosternConnection(socketPath: socketPath)
        defer { connection.close() }
        return try connection.call(parameters, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Calls a method with `more`, and returns after its last reply.
    ///
    /// - Parameters:
    ///   - method: its full name: `io.postern.SignIn`.
    ///   - parameters: the object of its parameters.
    ///   - beginsAtOnce: the first reply waits for nobody, so until it arrives the daemon is checked as in
    ///     ``call(_:_:timeoutMilliseconds:)``.
    ///   - isWatched: no reply waits for a person, so the daemon is checked whenever none arrives, though less often later.
    ///   - onReply: called with each reply as it arrives; an error that it throws ends the call and is rethrown.
    /// - Throws: ``PosternError``, or what `onReply` throws.
    public func callMore(
        _ method: String, _ parameters: JSONObject, beginsAtOnce: Bool = false, isWatched: Bool = false,
        onReply: (JSONObject) throws -> Void
    ) throws {
        // Events may be hours apart. A daemon that already hangs is noticed first.
        if isWatched { _ = try call("org.varlink.service.GetInfo", [:]) }
        var replies = try begin(method, parameters)
        let quietPulse = isWatched ? Self.quietPulse : nil
        var nextPulse = beginsAtOnce ? pulse : quietPulse
        while true {
            let reply: JSONObject?
            do { reply = try replies.next(pulse: nextPulse) } catch { throw PosternError(error, path: path) }
            guard let reply else { return }
            try onReply(reply)
            nextPulse = quietPulse
        }
    }

    /// For a call that may be quiet for hours: often enough for a person who watches, rarely enough to cost nothing.
    private static let quietPulse = VarlinkPulse(interval: .seconds(10))

    /// As ``callMore(_:_:onReply:)``, but the replies are the caller's to read: when it returns, the call has been sent, before any later one.
    package func begin(_ method: String, _ parameters: JSONObject) throws(PosternError) -> VarlinkReplies {
        let connection = try current()
        do { return try connection.callMore(VarlinkCall(method: method, parameters: parameters)) } catch { throw PosternError(error) }
    }

    /// Closes the connection, and ends any call that waits on it with ``PosternError/cancelled``. May be called again.
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

    /// Parses the parameters of a reply that was received unparsed.
    ///
    /// - Throws: ``PosternError/malformedReply(reason:)``.
    public static func read<Reply: InterfaceObject>(_ type: Reply.Type, from object: JSONObject) throws(PosternError) -> Reply {
        do throws(JSONMemberError) {
            return try Reply(object: object)
        } catch {
            throw .malformedReply(reason: error.description)
        }
    }
}

/// The path of the daemon's socket.
public enum SocketPath {
    /// `$POSTERN_SOCKET`, else `$XDG_RUNTIME_DIR/postern/io.postern`, else the same below `/run/user/UID`.
    ///
    /// - Parameters:
    ///   - userID: the user whose daemon it is.
    ///   - variable: returns an environment variable; an empty value counts as unset.
    public static func find(userID: UInt32, variable: (String) -> String?) -> String {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("POSTERN_SOCKET") { return path }
        // The XDG Base Directory Specification says to ignore a relative path.
        let runtime = value("XDG_RUNTIME_DIR").flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? "/run/user/\(userID)"
        return runtime + "/postern/io.postern"
    }

    /// The path for this process.
    public static var current: String {
        find(userID: getuid()) { name in getenv(name).map { String(cString: $0) } }
    }
}
