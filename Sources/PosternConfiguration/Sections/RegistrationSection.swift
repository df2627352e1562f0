import PosternCore

extension Configuration {
    /// `[registration]`
    public struct Registration: Sendable, Hashable {
        /// The URL of the client document (OAuth Client ID Metadata Document), which is the client ID where issuers accept it.
        public var clientDocument: String?

        public init() {}
    }
}

extension Configuration.Registration {
    static let keys = ["client-document"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        guard let url = try table.url("client-document") else { return }
        guard url.scheme == .https, !url.path.isEmpty, url.path != "/", url.query == nil else {
            throw table.error(
                "client-document", "must be an https URL with a path and without a query, such as \"https://example.org/client.json\"")
        }
        clientDocument = url.text
    }
}
