import PosternCore

extension Configuration {
    /// `[store]`
    public struct Store: Sendable, Hashable {
        public var key = KeyPreference.automatic

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
