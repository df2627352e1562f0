import PosternCore

extension Configuration {
    /// `[sign-in]`
    public struct SignIn: Sendable, Hashable {
        /// How long a page may wait for the user: 1 s to 1 h.
        public var timeout = Duration.seconds(600)
        public var browser = Browser.command(["xdg-open"])
        /// The languages of the pages; each is one of `en`, `ja`, `it`. The first is used if the browser names none of them.
        public var languages = ["en", "ja", "it"]
        /// How people sign in if neither a program nor the provider's section says.
        public var flow = ProviderFlow.browser

        public init() {}
    }
}

extension Configuration.SignIn {
    static let keys = ["timeout", "browser", "languages", "flow"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        // The interface's limit for a program is the same hour.
        timeout = try table.duration("timeout", in: 1...3600) ?? timeout
        browser = try Configuration.Browser("browser", in: table) ?? browser
        languages = try Self.languages(table) ?? languages
        flow = try table.word("flow") ?? flow
    }

    private static func languages(_ table: SettingTable) throws(ConfigurationError) -> [String]? {
        guard let languages = try table.strings("languages") else { return nil }
        let known = Configuration.SignIn().languages
        for language in languages where !known.contains(language) {
            throw table.error(
                "languages", "must be some of \(known.map { "\"\($0)\"" }.joined(separator: ", ")), not \(SettingTable.shown(language))")
        }
        guard !languages.isEmpty, Set(languages).count == languages.count else {
            throw table.error("languages", "must name at least one language, and each once")
        }
        return languages
    }
}
