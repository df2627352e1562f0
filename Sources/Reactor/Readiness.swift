import CEpoll

/// What a descriptor is ready for (epoll_ctl(2)).
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// Both directions have ended, or the socket has failed. Always reported.
    public static let ended = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// Called when a descriptor is ready, on the loop.
public protocol ReadinessHandler: AnyObject {
    func ready(for readiness: Readiness)
}
