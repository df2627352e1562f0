/// The configuration's `host`: where somebody runs a provider's software themselves.
struct ProviderHost {
    static let setting = ProviderSetting("host", .text)

    /// `https://`, the host, perhaps a port and a path; no slash at the end.
    let origin: String
    /// Without port and path, in lower case.
    let name: String

    /// Nil where the configuration names none.
    ///
    /// - Parameter mayHavePath: the software can be installed below a path of its host.
    init?(_ settings: ProviderSettings, mayHavePath: Bool = false) throws(ProviderSettingError) {
        guard var text = settings.texts[Self.setting.key] else { return nil }
        // Copied from the browser as a whole.
        if text.hasPrefix("https://") { text.removeFirst("https://".count) }
        if text.hasSuffix("/") { text.removeLast() }
        guard let url = try? EndpointURL("https://\(text)"), url.query == nil, mayHavePath || url.path.isEmpty else {
            throw ProviderSettingError(
                Self.setting.key, "must be a host name, perhaps with a port\(mayHavePath ? " and a path" : ""): \"git.example.com\"")
        }
        origin = url.text
        name = url.host
    }
}
