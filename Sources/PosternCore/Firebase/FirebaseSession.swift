/// That an app is signed in to a Firebase project: the user as the project last told it, and the tokens.
public struct FirebaseSession: Sendable, Equatable {
    /// Of this sign-in: what is answered late to an earlier one changes nothing.
    public var id: String
    public var app: String
    /// Names the project: the users of one are nobody in another.
    public var project: String
    public var user: User
    public var tokens: FirebaseTokens
    /// The user was put together from what signing in answered; the project is yet to be asked for the rest.
    public var isProvisional: Bool

    public init(id: String, app: String, project: String, user: User, tokens: FirebaseTokens, isProvisional: Bool = false) {
        self.id = id
        self.app = app
        self.project = project
        self.user = user
        self.tokens = tokens
        self.isProvisional = isProvisional
    }
}
