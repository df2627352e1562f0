import PosternCore
import PosternInterface

/// Where the tokens of an account may go.
extension TokenService {
    /// Nothing stored is needed: what is stored only tells accounts apart.
    func getRoute(_ call: Interface.GetRoute) async throws(InterfaceError) -> Interface.GetRoute.Reply {
        var url: URLPrefix.AskedURL?
        if let text = call.url { url = try asked(text) }
        await providers.loader.read { if !store.isUnavailable { _ = try? routed(call, url) } }
        let (provider, named) = try routed(call, url)
        let authorities = try await authorities(of: provider)
        let proxies = providers.directory.proxies
        return Interface.GetRoute.Reply(
            providerID: provider.id, account: named?.name, urls: Self.urls(of: provider, named, closestTo: url),
            isMCP: provider.server != nil, authorities: authorities, httpsProxy: proxies.https, allProxy: proxies.all,
            noProxy: proxies.exceptions)
    }

    /// The provider that is meant, and the configured name whose URLs count, as for ``authorizeRequest(_:)``.
    private func routed(
        _ call: Interface.GetRoute, _ url: URLPrefix.AskedURL?
    ) throws(InterfaceError) -> (provider: Provider, named: NamedAccount?) {
        guard let id = call.providerID ?? call.account else {
            guard let url else { throw .invalidParameter("url") }
            return try routed(url)
        }
        let account = call.providerID == nil ? nil : call.account
        var named = named(id, uid: nil, account: account)
        let provider = try providers.directory.named(named?.providerID ?? id, accounts: directory)
        if let account {
            let other = self.named(account, at: provider.id)
            guard named == nil || named == other else { throw .invalidParameter("account") }
            named = other
        } else if named == nil {
            let kept = providers.cache.choosable(providerID: provider.id)
            if kept.count == 1 { named = owner(of: kept[0]) }
        }
        try named?.requireUsable()
        if let url, !directory.serves(url, as: named, of: provider.serves) { throw notServed(url, by: provider.id) }
        return (provider, named)
    }

    private func routed(_ url: URLPrefix.AskedURL) throws(InterfaceError) -> (provider: Provider, named: NamedAccount?) {
        let matches = served(url)
        guard let first = matches.first else { throw nobody(for: url) }
        let rivals = closest(matches)
        guard rivals.count < 2 else {
            throw .ambiguousAccount(message: doubt(between: rivals, for: url), uids: rivals.compactMap(\.credential?.subject))
        }
        let chosen = rivals.first ?? first
        return (try providers.directory.named(chosen.providerID, accounts: directory), chosen.account)
    }

    /// The configured name that is an account's own, that has its login, or that claims the stored account of that name.
    private func named(_ account: String, at providerID: String) -> NamedAccount? {
        if let named = directory[account], named.providerID == providerID { return named }
        if let named = directory.configured(called: account, at: providerID) { return named }
        guard case .one(let credential) = directory.choice(called: account, among: providers.cache.credentials(providerID: providerID))
        else { return nil }
        return owner(of: credential)
    }

    private func authorities(of provider: Provider) async throws(InterfaceError) -> String? {
        do throws(TransportFailure) { return try await providers.directory.authorities(of: provider) } catch {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(error)", providerID: provider.id)
        }
    }

    private static func urls(of provider: Provider, _ named: NamedAccount?, closestTo url: URLPrefix.AskedURL?) -> [String] {
        if let server = provider.server { return [server.url.text] }
        var prefixes = named?.prefixes ?? []
        if named?.isForTheseOnly != true { prefixes += provider.serves.filter { !prefixes.contains($0) } }
        guard let url else { return prefixes.map(\.text) }
        let order = prefixes.enumerated().sorted { left, right in
            let closeness = (left.element.closeness(to: url) ?? -1, right.element.closeness(to: url) ?? -1)
            return closeness.0 == closeness.1 ? left.offset < right.offset : closeness.0 > closeness.1
        }
        return order.map(\.element.text)
    }
}
