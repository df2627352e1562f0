/// That an app is signed in, as whom, and since when.
public struct AppSignIn: Sendable, Hashable {
    public var app: String
    public var uid: String
    /// When the person last proved who they are, to this app (`auth_time`).
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

    /// The person was there a moment ago. A clock that was set back makes nothing recent.
    public func isRecent(now: Timestamp) -> Bool {
        authenticatedAt <= now && now <= authenticatedAt.adding(seconds: Self.recentSeconds)
    }
}
