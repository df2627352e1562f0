import PosternCore

/// Renews a token once for all callers that want it, and leaves a project that cannot be reached alone for a while.
@DaemonActor
final class TokenRenewal {
    private static let longestPause: Int64 = 60
    /// The longest pause that a project may ask for.
    private static let longestWish: Int64 = 86_400

    private struct Pause {
        var failures: Int
        /// By ``WallClock/uptime``: setting the clock makes no pause longer or shorter.
        var until: Int64
    }

    private var underWay: [String: WaitingRoom<Result<FirebaseSession, AccountFailure>>] = [:]
    private var pauses: [String: Pause] = [:]
    private let platform: Platform

    init(platform: Platform) { self.platform = platform }

    /// A caller that arrives while a renewal is under way gets the result of that renewal.
    func once(
        _ id: String, _ work: @DaemonActor () async throws(AccountFailure) -> FirebaseSession
    ) async throws(AccountFailure) -> FirebaseSession {
        if let room = underWay[id], let result = await room.wait(while: { underWay[id] === room }) { return try result.get() }
        guard underWay[id] == nil else { return try await once(id, work) }
        let room = WaitingRoom<Result<FirebaseSession, AccountFailure>>()
        underWay[id] = room
        let result: Result<FirebaseSession, AccountFailure>
        do throws(AccountFailure) { result = .success(try await platform.work.count(.toBeKept, work)) } catch { result = .failure(error) }
        underWay[id] = nil
        room.release(with: result)
        return try result.get()
    }

    /// Seconds to wait before the project may be asked again; nil if it may be asked now.
    func pause(of id: String) -> Int64? {
        guard let pause = pauses[id], pause.until > platform.clock.uptime else { return nil }
        return pause.until - platform.clock.uptime
    }

    /// One second, then two, four, and so on; or as long as the project says.
    func failed(_ id: String, retryAfterSeconds: Int64?) {
        let now = platform.clock.uptime
        if pauses.count >= 256 { pauses = pauses.filter { $0.value.until > now } }
        let failures = min((pauses[id]?.failures ?? 0) + 1, 7)
        let seconds = retryAfterSeconds.map { min(max($0, 0), Self.longestWish) } ?? min(1 << Int64(failures - 1), Self.longestPause)
        pauses[id] = Pause(failures: failures, until: now + seconds)
    }

    func succeeded(_ id: String) { pauses[id] = nil }
}
