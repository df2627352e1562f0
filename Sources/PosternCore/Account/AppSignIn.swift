/// That an app is signed in, as whom, and since when.
public struct AppSignIn: Sendable, Hashable {
    public var app: String
    public var uid: String
    /// When the user last proved who they are, to this app (`auth_time`).
    public var authenticatedAt: Timestamp
    /// With which provider; `password` and `anonymous` too, as in Firebase's tokens (`sign_in_provider`).
    public var providerID: String
    /// The second factor that was given as well, by its `uid`.
    public var secondFactor: String?

    public init(app: String, uid: String, authenticatedAt: Timestamp, providerID: String, secondFactor: String? = nil) {
        self.app = app
        self.uid = uid
        self.authenticatedAt = authenticatedAt
        self.providerID = providerID
        self.secondFactor = secondFactor
    }
}

extension AppSignIn {
    public static let anonymousProviderID = "anonymous"

    /// Firebase's limit for what must not be done by whoever finds a program open.
    public static let recentSeconds: Int64 = 300

    /// The user was there a moment ago. A clock that was set back makes nothing recent.
    public func isRecent(now: Timestamp) -> Bool {
        authenticatedAt <= now && now <= authenticatedAt.adding(seconds: Self.recentSeconds)
    }
}

/// When people signed in by a clock that nobody can set back: who finds a program open could otherwise make an old sign-in a recent one by
/// setting the wall clock.
///
/// Kept in memory: a sign-in of an earlier run of the daemon is at least as old as this life.
public struct SignInMoments: Sendable {
    /// More at once than people can sign in; the oldest are then judged as those of an earlier run.
    private static let limit = 1024

    /// By the wall clock's moment: seconds since the machine started, its sleep among them (`CLOCK_BOOTTIME`).
    private var uptimes: [Timestamp: Int64] = [:]
    private let startedAt: Int64

    /// - Parameter uptime: when this life began.
    public init(uptime: Int64) { startedAt = uptime }

    /// Somebody may sign in at this moment.
    public mutating func passed(_ now: Timestamp, uptime: Int64) {
        if uptimes[now] == nil { uptimes[now] = uptime }
        guard uptimes.count > Self.limit else { return }
        uptimes = uptimes.filter { uptime - $0.value <= AppSignIn.recentSeconds }
        if uptimes.count > Self.limit, let oldest = uptimes.min(by: { $0.value < $1.value }) { uptimes[oldest.key] = nil }
    }

    /// The user proved who they are within the last five minutes, by both clocks.
    public func isRecent(_ signIn: AppSignIn, now: Timestamp, uptime: Int64) -> Bool {
        if let then = uptimes[signIn.authenticatedAt] {
            // Seen in this life: what the wall clock says by now, set forward or back, does not matter.
            return 0...AppSignIn.recentSeconds ~= uptime - then
        }
        return signIn.isRecent(now: now) && uptime - startedAt <= AppSignIn.recentSeconds
    }
}
