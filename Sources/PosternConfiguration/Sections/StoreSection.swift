extension Configuration {
    /// `[store]`
    public struct Store: Sendable, Hashable {
        public var key = KeySource.auto

        public init() {}
    }

    /// Where the store's sealing key is kept; the raw values are those of the file.
    public enum KeySource: String, Sendable, CaseIterable {
        case auto, credential
        case secretService = "secret-service"
        case file, passphrase
    }
}

extension Configuration.Store {
    static let keys = ["key"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        key = try table.word("key") ?? key
    }
}
