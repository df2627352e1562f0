import NIOCore
import PosternClient
import PosternInterface

/// Tells requests that wait for a person when something changed at the daemon, such as a sign-in that is done.
final class PersonWatch {
    private let link: DaemonLink
    private let eventLoop: any EventLoop
    private var waiting: [Int: () -> Void] = [:]
    private var last = 0
    private var following: DaemonLink.Following?
    /// Events are missed that happen before the daemon is followed, or while it restarts.
    private static let interval = TimeAmount.seconds(2)
    private var timer: Scheduled<Void>?

    init(_ link: DaemonLink, eventLoop: any EventLoop) {
        self.link = link
        self.eventLoop = eventLoop
    }

    /// - Parameter changed: called once.
    /// - Returns: for ``remove(_:)``.
    func add(_ changed: @escaping () -> Void) -> Int {
        last += 1
        waiting[last] = changed
        follow()
        return last
    }

    func remove(_ number: Int) {
        waiting[number] = nil
        if waiting.isEmpty { stop() }
    }

    private func stop() {
        following?.cancel()
        timer?.cancel()
        (following, timer) = (nil, nil)
    }

    private func follow() {
        if timer == nil {
            timer = eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { [weak self] in
                self?.timer = nil
                self?.tell()
            }
        }
        guard following == nil else { return }
        following = link.follow(
            Interface.Monitor(),
            onReply: { [weak self] event in if Self.kinds.contains(event.kind) { self?.tell() } },
            onEnd: { [weak self] _ in self?.following = nil })
    }

    /// After which a request that needed a person may not need one any more.
    private static let kinds: Set = [
        "signInCompleted", "credentialKept", "credentialImported", "credentialStateChanged", "storeUnlocked", "configurationReloaded",
    ]

    private func tell() {
        let told = waiting
        waiting = [:]
        for changed in told.values { changed() }
        if waiting.isEmpty { stop() }
    }
}
