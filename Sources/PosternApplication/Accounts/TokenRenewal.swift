import PosternCore

/// Renews a token once for all callers that want it, and leaves a project that cannot be reached alone for a while.
@DaemonActor
final class TokenRenewal {
    private static let longestPause: Int64 = 60

    private struct Pause {
        var failures: Int
        var until: Timestamp
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

    /// Seconds to wait before the project is asked again; nil if it may be asked now.
    func pause(of id: String, now: Timestamp) -> Int64? {
        guard let pause = pauses[id], pause.until > now else { return nil }
        return max(pause.until.seconds(since: now), 1)
    }

    /// One second, then two, four, and so on; or what the project asks for.
    func failed(_ id: String, retryAfterSeconds: Int64?, now: Timestamp) {
        if pauses.count >= 256 { pauses = pauses.filter { $0.value.until > now } }
        let failures = min((pauses[id]?.failures ?? 0) + 1, 7)
        let seconds = retryAfterSeconds ?? min(1 << Int64(failures - 1), Self.longestPause)
        pauses[id] = Pause(failures: failures, until: now.adding(seconds: seconds))
    }

    func succeeded(_ id: String) { pauses[id] = nil }
}
