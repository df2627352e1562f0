import PosternCore
import TOML

/// The content of the files in `providers.d`. Packages and applications may add providers and clients. Only the administrator and the user
/// may configure what runs programs, reads files, opens listeners or decides whom to trust, and the server of a provider that others name.
///
/// Settings that are not permitted are ignored and reported: a package must not keep everybody on the machine from signing in.
struct PackagedProviders {
    /// The keys of `[provider.NAME]`. The endpoints are those of its own server.
    static let keys: Set<String> = keysOfBuiltIn.union(
        [
            "kind", "issuer", "parameters", "profile", "own-callback-path", "any-port", "response-mode", "serves", "limited", "app",
            "callback-state",
        ] + ProviderSection.endpoints.map(\.key) + ProviderSection.signedEndpoints.map(\.key)
            + ProviderSection.extensionKeys.filter(\.mayBePackaged).map(\.name))

    /// For a built-in provider: its client, but not its server, since everybody expects the server of that name.
    static let keysOfBuiltIn: Set<String> = [
        "client-id", "client-secret", "api-key", "api-secret", "client-authentication", "scopes", "display-name", "redirect-uri", "flow",
    ]

    /// A client that is distributed to everybody has no real secret; if a provider requires one anyway, it is given as text.
    private static let literals: Set<String> = ["client-secret", "api-secret"]

    let list: ProviderList
    /// All settings of the administrator and the user.
    let own: SettingTable

    /// The names of all providers so far.
    private var names: Set<String> = []
    private(set) var settings: SettingTable
    private(set) var leftOut: [ConfigurationError] = []

    init(list: ProviderList, own: SettingTable) {
        self.list = list
        self.own = own
        settings = SettingTable(path: [], position: SourcePosition(file: list.mainFile, line: 1))
        names = Set(own.inner("provider")?.members.map(\.key) ?? [])
    }

    /// A file that cannot be used at all.
    mutating func leaveOut(_ error: ConfigurationError) {
        leftOut.append(ConfigurationError(file: error.file, line: error.line, message: "\(error.message); it is left out"))
    }

    mutating func add(_ file: SettingTable) {
        var kept = file
        for member in file.members {
            guard member.key == "provider", case .table(let providers) = member.setting.content else {
                leave(member, "a package's file may have only [provider.NAME]")
                kept.remove([member.key])
                continue
            }
            for provider in providers.members {
                let path = ["provider", provider.key]
                switch verdict(on: provider) {
                case .taken: names.insert(provider.key)
                case .withoutURLs(let serves, let reason):
                    names.insert(provider.key)
                    leave(serves, reason)
                    kept.remove((path + [serves.key])[...])
                case .leftOut(let error):
                    if let error {
                        leftOut.append(
                            ConfigurationError(
                                file: error.file, line: error.line,
                                message: "\(error.message); [provider.\(TOMLKey.shown(provider.key))] of this file is left out"))
                    }
                    kept.remove(path[...])
                }
            }
        }
        settings.merge(kept)
    }

    private mutating func leave(_ member: SettingTable.Member, _ reason: String) {
        leftOut.append(member.keyPosition.error("\(TOMLKey.shown(member.key)) is left out: \(reason)"))
    }

    // MARK: One section

    private enum Verdict {
        case taken
        /// `serves` is ignored, for the given reason.
        case withoutURLs(SettingTable.Member, String)
        /// The error is nil if it is rightly left out.
        case leftOut(ConfigurationError?)
    }

    private func verdict(on provider: SettingTable.Member) -> Verdict {
        guard case .table(let section) = provider.setting.content else {
            return .leftOut(provider.keyPosition.error("\(TOMLKey.shown(provider.key)) in [provider] must be a table"))
        }
        let name = provider.key
        if let error = badKey(in: section, isBuiltIn: Catalogue.provider(name) != nil) { return .leftOut(error) }
        if own.inner("account")?[name] != nil {
            return .leftOut(section.position.error("\(section.name): \(name) is the name of an account of the configuration"))
        }
        if own.inner("mcp")?[name] != nil {
            return .leftOut(section.position.error("\(section.name): \(name) is the name of an MCP server of the configuration"))
        }
        let overlay = own.inner("provider")?.inner(name)
        // Its client or server is configured there; a package's half would send that client's secret elsewhere.
        if let overlay, overlay.namesClientOrServer { return .leftOut(nil) }
        if let other = settings.inner("provider")?[name] {
            return .leftOut(section.position.error("\(section.name) stands in \(other.position.file) already"))
        }
        // The configuration's own providers come first.
        guard names.union([name]).count <= ProviderList.limit else {
            return .leftOut(section.position.error("more than \(ProviderList.limit) providers"))
        }
        let read: ConfiguredProvider
        do throws(ConfigurationError) { read = try self.read(name, section) } catch { return .leftOut(error) }
        if let overlay, (try? self.read(name, overlay)) != nil {
            var merged = section
            merged.merge(overlay)
            do throws(ConfigurationError) { _ = try self.read(name, merged) } catch {
                return .leftOut(section.position.error("\(section.name) conflicts with what \(overlay.position.file) says about it"))
            }
        }
        // If it is overridden, it does not count.
        guard overlay?["serves"] == nil, let serves = section.members.first(where: { $0.key == "serves" }) else { return .taken }
        let fix = "if its tokens are for those URLs, set serves in a [provider.\(TOMLKey.shown(name))] of your own"
        guard Self.servesItself(read.provider) else {
            let key = read.provider.kind == .oauth1 ? "access-token-endpoint names" : "token-endpoint names, or issuer if there is none"
            return .withoutURLs(serves, "its URLs must be on the server that gives out the tokens, which \(key); \(fix)")
        }
        if let other = otherServer(of: read.provider) {
            return .withoutURLs(serves, "tokens for its server come from \(other); \(fix)")
        }
        return .taken
    }

    private func badKey(in section: SettingTable, isBuiltIn: Bool) -> ConfigurationError? {
        for member in section.members {
            func refusal(_ reason: String) -> ConfigurationError {
                member.keyPosition.error("\(TOMLKey.shown(member.key)) is not accepted here: \(reason)")
            }
            guard Self.keys.contains(member.key) else {
                return refusal("only /etc/postern and the user may set it, not a package's file")
            }
            if isBuiltIn, !Self.keysOfBuiltIn.contains(member.key) {
                return refusal(
                    "for a built-in provider a package gives only a client, nothing about the server; use another name for another provider"
                )
            }
            guard Self.literals.contains(member.key) else { continue }
            guard case .string = member.setting.content else {
                return refusal("in a package's file it must be text: a package runs no programs and reads no files")
            }
        }
        return nil
    }

    /// Reads it as if nothing else were configured.
    private func read(_ name: String, _ section: SettingTable) throws(ConfigurationError) -> ConfiguredProvider {
        try list.read(SettingTable.Member(key: name, keyPosition: section.position, setting: Setting(section)))
    }

    // MARK: Where its tokens may go

    /// Whether its tokens are only for the origin that they come from. The other endpoints say nothing about it: a package can name any
    /// server there, even if the provider never uses it.
    private static func servesItself(_ provider: Provider) -> Bool {
        guard let text = provider.endpoints.token ?? provider.issuer, let source = try? EndpointURL(text) else { return false }
        return origins(of: provider.serves).allSatisfy { $0.hasSameOrigin(as: source) }
    }

    /// What already covers an origin that a package's provider serves, for a sentence; nil if nothing does.
    ///
    /// The longest match decides whose token a URL gets, so a package could otherwise take over a part of another provider's server.
    private func otherServer(of provider: Provider) -> String? {
        let origins = Self.origins(of: provider.serves)
        func covers(_ prefixes: [URLPrefix]) -> Bool {
            Self.origins(of: prefixes).contains { other in origins.contains { $0.hasSameOrigin(as: other) } }
        }
        if let known = Catalogue.providers.first(where: { covers($0.serves) }) { return known.id }
        for member in own.inner("provider")?.members ?? [] where member.key != provider.id {
            guard case .table(let section) = member.setting.content else { continue }
            let read = try? self.read(member.key, section)
            // A section that only adds to a package's provider cannot be read alone.
            let serves = read?.provider.serves ?? Self.prefixes("serves", in: section)
            if covers(serves) { return "[provider.\(TOMLKey.shown(member.key))]" }
        }
        for member in own.inner("mcp")?.members ?? [] {
            guard case .table(let section) = member.setting.content, case .string(let text)? = section["url"]?.content,
                let url = (try? EndpointURL(text)).flatMap({ try? URLPrefix(server: $0) })
            else { continue }
            if covers([url]) { return "[mcp.\(TOMLKey.shown(member.key))]" }
        }
        for member in own.inner("account")?.members ?? [] {
            guard case .table(let section) = member.setting.content else { continue }
            if case .string(provider.id)? = section["provider"]?.content { continue }
            if covers(Self.prefixes("for", in: section)) { return "[account.\(TOMLKey.shown(member.key))]" }
        }
        return nil
    }

    /// None if they are invalid, which is reported elsewhere.
    private static func prefixes(_ key: String, in section: SettingTable) -> [URLPrefix] { ((try? section.prefixes(key)) ?? nil) ?? [] }

    private static func origins(of prefixes: [URLPrefix]) -> [EndpointURL] { prefixes.compactMap { try? EndpointURL($0.text) } }
}

extension SettingTable {
    /// Of a provider: whether it says which client or which server is meant.
    var namesClientOrServer: Bool {
        let identifying: Set = ["client-id", "client-secret", "api-key", "api-secret", "issuer", "host", "register", "jwks-uri"]
        return members.contains { identifying.contains($0.key) || $0.key.ends(with: "-endpoint") }
    }
    /// Of a provider: whether it says which client is meant, or that the daemon registers one.
    var namesClient: Bool {
        if case .boolean(true)? = self["register"]?.content { return true }
        return ["client-id", "api-key"].contains { self[$0] != nil }
    }
}
