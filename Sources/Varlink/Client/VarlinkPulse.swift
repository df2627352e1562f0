/// How a client that waits for a reply checks, at intervals, that the service is still alive.
///
/// A call may take any time, and the service answers others meanwhile. So the client makes another call, on a separate connection: a
/// process that was stopped, or that sends its bytes one by one, does not answer that either.
public struct VarlinkPulse: Sendable, Hashable {
    /// Before the first check, and between two.
    public var interval: Duration
    /// How long the service has to answer `org.varlink.service.GetInfo`.
    public var patience: Duration

    public init(interval: Duration = .seconds(3), patience: Duration = .seconds(8)) {
        self.interval = interval
        self.patience = patience
    }

    /// - Returns: false if no answer arrived in time. A service that is about to end accepts no new connection but still answers the calls
    ///   that it has; when it is gone, the connection reports that.
    func isFelt(path: String, servers: [UInt32]) -> Bool {
        do throws(VarlinkClientError) {
            let connection = try VarlinkConnection(path: path, servers: servers, timeout: patience)
            _ = try connection.call(VarlinkCall(method: "org.varlink.service.GetInfo"), timeout: patience)
            return true
        } catch {
            return error != .timedOut
        }
    }
}
