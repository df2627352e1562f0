import PosternCore
import TOML

/// All `[provider.…]` sections.
struct ProviderList {
    let paths: PathRules
    let mainFile: String

    static let limit = 64

    /// The providers of the files in their order, then the built-in ones that no file mentions.
    func read(_ layers: inout SettingLayers) throws(ConfigurationError) -> [ConfiguredProvider] {
        var providers: [ConfiguredProvider] = []
        for member in try layers.members("provider") {
            let path = ["provider", member.key]
            do throws(ConfigurationError) {
                try layers.requireNoReadableSecret(at: path)
                guard providers.count < Self.limit else { throw member.keyPosition.error("more than \(Self.limit) providers") }
                providers.append(try read(member))
            } catch {
                try layers.leaveOut(path, error) { part in (try? read(member.with(part))) != nil }
                guard providers.count < Self.limit else { continue }
                if let own = own(member, layers) {
                    providers.append(own)
                } else {
                    layers.remove(path)
                    if let blocked = blocked(member, because: error) { providers.append(blocked) }
                }
            }
        }
        let mentioned = Set(providers.map(\.provider.id))
        for known in Catalogue.providers where !mentioned.contains(known.id) {
            var provider = known
            provider.problem = ProviderSection.missing(ofClient: known.kind.clientIDKey, of: known.id, file: mainFile)
            providers.append(ConfiguredProvider(provider: provider, isMentioned: false))
        }
        return providers
    }

    /// A section as if there were no other.
    func read(_ member: SettingTable.Member) throws(ConfigurationError) -> ConfiguredProvider {
        guard case .table(let section) = member.setting.content else {
            throw member.keyPosition.error(
                "\(TOMLKey.shown(member.key)) in [provider] must be a table; a provider begins with [provider.NAME]")
        }
        try checkName(member.key, of: section)
        let template = try template(for: member.key, section)
        return try ProviderSection(id: member.key, table: section, paths: paths).read(template: template)
    }

    /// The user's own section, if it needs nothing of what others say about the provider: it names the client, and whatever they name of the
    /// server. Else the user's client would sign in at another server than the administrator's.
    private func own(_ member: SettingTable.Member, _ layers: SettingLayers) -> ConfiguredProvider? {
        guard let section = layers.user.inner("provider")?.inner(member.key), section.namesClient else { return nil }
        let theirs = layers.shared.inner("provider")?.inner(member.key)?.members ?? []
        let serverKeys = serverKeys(of: member.key)
        for each in theirs {
            // A mistyped one was meant to name the server as well.
            let meant = Spelling.nearest(to: each.key, in: ProviderSection.keys + serverKeys)
            if let meant, serverKeys.contains(meant), section[meant] == nil { return nil }
        }
        return try? read(member.with(Setting(section)))
    }

    /// The keys that say which server is meant.
    private func serverKeys(of id: String) -> [String] {
        let endpoints = ProviderSection.endpoints.map(\.key) + ProviderSection.signedEndpoints.map(\.key)
        return ["issuer"] + endpoints + (template(id: id)?.dialect.settings.filter { $0.kind == .text }.map(\.key) ?? [])
    }

    /// A provider that nobody can use, and that says why: what was stored for it, and accounts that name it, remain.
    ///
    /// - Returns: nil if no provider can have the name.
    private func blocked(_ member: SettingTable.Member, because error: ConfigurationError) -> ConfiguredProvider? {
        guard ProviderNaming.mistake(in: member.key) == nil else { return nil }
        var kind: ProviderKind?
        if case .table(let section) = member.setting.content, case .string(let text)? = section["kind"]?.content {
            kind = ProviderKind(rawValue: text)
        }
        let provider = template(id: member.key) ?? Provider(id: member.key, displayName: member.key, kind: kind ?? .oidc)
        return ConfiguredProvider(provider: provider).blocked(because: error)
    }

    /// A name is part of URLs, file names and messages.
    private func checkName(_ id: String, of section: SettingTable) throws(ConfigurationError) {
        let own = template(id: id)?.dialect.settings.map(\.key) ?? []
        let known = Set(ProviderSection.keys + ProviderSection.keys(of: .oauth1) + own)
        // `[provider.github.com]` is a table `com` in a provider `github`.
        for member in section.members {
            guard case .table = member.setting.content, !known.contains(member.key),
                Spelling.nearest(to: member.key, in: ProviderSection.tables) == nil
            else { continue }
            throw member.keyPosition.error("a name with a full stop needs quotes: [provider.\(TOMLKey.shown("\(id).\(member.key)"))]")
        }
        if let mistake = ProviderNaming.mistake(in: id) { throw section.position.error("\(section.name): \(mistake)") }
    }

    /// The built-in provider, or an empty one of the kind that the section names.
    private func template(for id: String, _ section: SettingTable) throws(ConfigurationError) -> Provider {
        let kind = try section.string("kind")
        let given = kind.flatMap(ProviderKind.init(rawValue:))
        if kind != nil, given == nil { throw section.error("kind", "must be \"oidc\", \"oauth2\" or \"oauth1\"") }
        if let known = template(id: id) {
            guard given == nil || given == known.kind else {
                throw section.error("kind", "must be left out: \(id) is built in; another name makes another provider")
            }
            return known
        }
        guard let given else {
            let hint = nearest(to: id).map { "did you mean [provider.\(TOMLKey.shown($0))]? Else " } ?? ""
            throw section.position.error("unknown provider \(TOMLKey.shown(id)); \(hint)give kind = \"oidc\", \"oauth2\" or \"oauth1\"")
        }
        return Provider(id: id, displayName: id, kind: given)
    }

    private func template(id: String) -> Provider? { Catalogue.provider(id) }

    private func nearest(to id: String) -> String? {
        let ids = Catalogue.providers.map(\.id)
        return ids.first { $0.begins(with: id + ".") } ?? Spelling.nearest(to: id, in: ids)
    }
}
