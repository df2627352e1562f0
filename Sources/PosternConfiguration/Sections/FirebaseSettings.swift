import PosternCore

extension Configuration {
    /// The project in `[accounts]`, its key not yet fetched.
    public struct Firebase: Sendable, Hashable {
        public var apiKey: SecretSource
        /// The emulator's base URL, without a trailing slash; nil for Google's servers.
        public var emulator: String?
        public var projectID: String?
    }
}

/// The keys of `[accounts]` that name the Firebase project.
extension Configuration.Firebase {
    static let keys = ["api-key", "emulator", "project-id"]

    /// The emulator has no keys and accepts this one.
    private static let emulatorKey = Secret("postern")

    /// Nil for the authority `local`.
    init?(_ table: SettingTable, authority: Configuration.AccountAuthority, paths: PathRules) throws(ConfigurationError) {
        guard authority == .firebase else {
            if let key = Self.keys.first(where: { table[$0] != nil }) {
                throw table.error(key, "needs authority = \"firebase\" beside it")
            }
            return nil
        }
        if table["one-account-per-email"] != nil {
            throw table.error("one-account-per-email", "must be left out: the Firebase project sets it in its console")
        }
        emulator = try Self.emulator(table)
        projectID = try Self.projectID(table)
        if let source = try SecretSource("api-key", in: table, paths: paths) {
            // It is sent in a header.
            if case .literal(let key) = source, !key.withBytes({ $0.allSatisfy { 0x21...0x7E ~= $0 } }) {
                throw table.error("api-key", "must be visible ASCII characters without spaces")
            }
            apiKey = source
        } else if emulator != nil {
            apiKey = .literal(Self.emulatorKey)
        } else {
            throw table.position.error(
                "\(table.name) needs api-key beside authority = \"firebase\": the project's Web API key, from its settings in the console")
        }
    }

    /// `127.0.0.1:9099` as Firebase's tools print it, or a base URL.
    private static func emulator(_ table: SettingTable) throws(ConfigurationError) -> String? {
        guard var text = try table.string("emulator") else { return nil }
        if !text.holds("://") { text = "http://" + text }
        while text.ends(with: "/") { text.removeLast() }
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch { throw table.error("emulator", error.description) }
        guard url.query == nil else { throw table.error("emulator", "must not have a query") }
        return url.text
    }

    private static func projectID(_ table: SettingTable) throws(ConfigurationError) -> String? {
        guard let text = try table.string("project-id") else { return nil }
        let isFit = text.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "-:._".unicodeScalars.contains($0))
        }
        guard (1...128).contains(text.utf8.count), isFit else {
            throw table.error("project-id", "must be a project's ID, such as \"demo-project\": letters, digits and dashes")
        }
        return text
    }
}
