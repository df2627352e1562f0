/// The last sign-in under an account's name.
public struct SignInName: Sendable, Hashable {
    public var name: String
    public var at: Timestamp
    /// What the configuration said then; nil if it did not say whose the name is.
    public var login: AccountLogin?

    public init(name: String, at: Timestamp, login: AccountLogin? = nil) {
        self.name = name
        self.at = at
        self.login = login
    }
}
