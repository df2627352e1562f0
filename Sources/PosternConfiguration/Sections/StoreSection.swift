import PosternCore

extension Configuration {
    /// `[store]`
    public struct Store: Sendable, Hashable {
        public var key = KeyPreference.automatic
        /// The administrator may have said something else, as a mistake in their file leaves unknown: what that is. A store keeps its key
        /// where it was made, so none is made meanwhile.
        public var doubt: String?

        public init() {}
    }
}

extension Configuration.Store {
    static let keys = ["key"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        key = try table.word("key") ?? key
    }
}
