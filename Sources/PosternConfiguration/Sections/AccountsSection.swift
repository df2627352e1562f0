extension Configuration {
    /// `[accounts]`
    public struct Accounts: Sendable, Hashable {
        public var oneAccountPerEmail = true
        public var authority = AccountAuthority.local
        /// With the authority `firebase`.
        public var firebase: Firebase?
        /// The administrator may have named another authority, as a mistake in their file leaves unknown: what that is. Nobody signs in
        /// meanwhile: with the wrong authority they would be another user.
        public private(set) var doubt: String?

        mutating func suspend(because doubt: String) {
            authority = .firebase
            firebase = nil
            self.doubt = doubt
        }

        public init() {}
    }

    /// Who keeps the accounts; the raw values are those of the file.
    public enum AccountAuthority: String, Sendable, CaseIterable {
        /// This machine.
        case local
        /// A Firebase project.
        case firebase
    }
}

extension Configuration.Accounts {
    static let keys = ["one-account-per-email", "authority"] + Configuration.Firebase.keys

    init(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        oneAccountPerEmail = try table.boolean("one-account-per-email") ?? oneAccountPerEmail
        authority = try table.word("authority") ?? authority
        firebase = try Configuration.Firebase(table, authority: authority, paths: paths)
    }
}
