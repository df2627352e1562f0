/// How a client that waits for a reply makes sure, now and then, that the service still lives.
///
/// A call may take as long as it takes, and the service answers others meanwhile. So it is asked something else, on a connection of its
/// own: a process that was stopped, or that hands out its bytes one by one, does not answer that either.
public struct VarlinkPulse: Sendable, Hashable {
    /// Before the first question, and between two.
    public var interval: Duration
    /// How long the service has to answer `org.varlink.service.GetInfo`.
    public var patience: Duration

    public init(interval: Duration = .seconds(3), patience: Duration = .seconds(8)) {
        self.interval = interval
        self.patience = patience
    }

    /// - Returns: false if nothing came in time. A service that is about to end takes no new connection and still answers the calls it
    ///   has; when it is gone the connection says so.
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
