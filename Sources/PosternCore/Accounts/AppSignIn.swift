/// That an app is signed in, as which user, and since when.
///
/// It lasts until the app signs out or somebody signs in to the app again. To reauthenticate renews it.
public struct AppSignIn: Sendable, Hashable {
    /// Random. A page that was opened for one sign-in is of no use to another, even of the same user.
    public var id: String
    public var app: AppName
    public var uid: String
    /// When the user last proved who they are, to this app (`auth_time`).
    public var authenticatedAt: Timestamp
    /// The provider used; also `password` and `anonymous`, as in Firebase's tokens (`sign_in_provider`).
    public var providerID: String
    /// The second factor that was given as well, by its `uid`.
    public var secondFactor: String?

    public init(id: String, app: AppName, uid: String, authenticatedAt: Timestamp, providerID: String, secondFactor: String? = nil) {
        self.id = id
        self.app = app
        self.uid = uid
        self.authenticatedAt = authenticatedAt
        self.providerID = providerID
        self.secondFactor = secondFactor
    }
}

extension AppSignIn {
    public static let anonymousProviderID = Provider.anonymousID

    /// Firebase's limit, in seconds, for operations that someone who finds a program open must not be able to do.
    public static let recentSeconds: Int64 = 300

    /// Nobody showed to be the user since the app was signed in as them: that was done with an access token alone, or with an account that
    /// was linked without a recent sign-in.
    public var isUnseen: Bool { authenticatedAt.milliseconds == 0 }

    /// The user was present a moment ago. Setting back the clock makes nothing recent.
    public func isRecent(now: Timestamp) -> Bool {
        authenticatedAt <= now && now <= authenticatedAt.adding(seconds: Self.recentSeconds)
    }
}

/// When people signed in, by a clock that nobody can set back: otherwise someone who finds a program open could make an old sign-in recent
/// by setting the wall clock.
///
/// In memory only: a sign-in of an earlier run of the daemon is at least as old as this run.
public struct SignInMoments: Sendable {
    /// More than people can sign in at once; the oldest are then treated as those of an earlier run.
    private static let limit = 1024

    /// By the time of the wall clock: seconds since the machine started, including sleep (`CLOCK_BOOTTIME`).
    private var uptimes: [Timestamp: Int64] = [:]
    private let startedAt: Int64

    /// - Parameter uptime: when this run began.
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
            // Seen in this run: what the wall clock says now, set forward or back, does not matter.
            return 0...AppSignIn.recentSeconds ~= uptime - then
        }
        return signIn.isRecent(now: now) && uptime - startedAt <= AppSignIn.recentSeconds
    }
}
