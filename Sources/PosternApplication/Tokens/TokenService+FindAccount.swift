import PosternCore
import PosternInterface

/// Which account a URL means, and why it may mean none.
extension TokenService {
    private static let mostNear = 16
    private static let mostNamed = 3

    func findAccount(_ call: Interface.FindAccount) async throws(InterfaceError) -> Interface.FindAccount.Reply {
        let url = try asked(call.url)
        try await read { _ = served(url) }
        let accounts = served(url)
        let near = directory.near(url, providers: serving).prefix(Self.mostNear).map(\.prefix.text)
        return Interface.FindAccount.Reply(
            accounts: accounts.map(Interface.ServedAccount.init), near: near.isEmpty ? nil : near,
            reason: accounts.isEmpty ? absence(for: url) : doubt(about: accounts, for: url))
    }

    /// A server refused a token. The reply is the same for every token, known or not.
    func reportRefusedToken(_ call: Interface.ReportRefusedToken) async throws(InterfaceError) -> Interface.ReportRefusedToken.Reply {
        guard (1...Grant.longestToken).contains(call.accessToken.count) else { throw .invalidParameter("accessToken") }
        let url = try asked(call.url)
        try await read { _ = served(url) }
        await tokens.refusedTokens.refused(call.accessToken, among: served(url).compactMap(\.credential))
        return Interface.ReportRefusedToken.Reply()
    }

    func asked(_ url: String) throws(InterfaceError) -> URLPrefix.AskedURL {
        if let lastAsked, lastAsked.text.utf8.elementsEqual(url.utf8) { return lastAsked }
        do throws(EndpointURLError) {
            let asked = try URLPrefix.AskedURL(url)
            lastAsked = asked
            return asked
        } catch {
            throw .originNotServed(message: "no token is for this URL: it \(error)", origin: "")
        }
    }

    func served(_ url: URLPrefix.AskedURL) -> [AccountDirectory.Served] {
        directory.served(url, providers: serving, credentials: { providers.cache.choosable(providerID: $0) })
    }

    /// A built-in provider that nobody configured must not keep a program from asking elsewhere.
    private var usable: [Provider] { providers.directory.all.filter { $0.problem == nil } }
    private var serving: [AccountDirectory.ServingProvider] { usable.map { ($0.id, $0.serves) } }

    /// The accounts that come first and are equally close; one if it is clear which is meant, none if nobody has signed in.
    func closest(_ served: [AccountDirectory.Served]) -> [AccountDirectory.Served] {
        var closest: [AccountDirectory.Served] = []
        for each in served where each.credential != nil && each.rank == served.first?.rank {
            guard !closest.contains(where: { $0.isOfSameAccount(as: each) }) else { continue }
            closest.append(each)
        }
        return closest
    }

    // MARK: None

    /// Why no account is for the URL, and what would change that; nil if nothing comes near.
    func absence(for url: URLPrefix.AskedURL) -> String? {
        let none = "no account's tokens are for \(url.origin)"
        let unready = providers.directory.all.first { $0.problem != nil && directory.serves(url, as: nil, of: $0.serves) }
        if let unready {
            return "tokens for \(url.origin) come from \(unready.displayName), which is not set up; run `postern setup \(unready.id)`"
        }
        let near = directory.near(url, providers: serving)
        if let nearest = near.first {
            let others = near.dropFirst().prefix(Self.mostNamed - 1).map { ", those of \($0.name) for \($0.prefix.text)" }.joined()
            let rest = near.count > Self.mostNamed ? ", and so on" : ""
            return "\(none); those of \(nearest.name) are for \(nearest.prefix.text)\(others)\(rest)"
        }
        // Its sign-in is on the same host.
        guard let provider = usable.first(where: { $0.isOnHost(of: url) }) else { return nil }
        let command = Self.setting("provider.\(provider.id).serves", provider.serves.map(\.text) + [url.origin])
        return "\(none); if those of \(provider.displayName) should be, run `\(command)`"
    }

    // MARK: Several

    /// Why none of them is used unless it is named; nil if it is clear which one is meant.
    private func doubt(about served: [AccountDirectory.Served], for url: URLPrefix.AskedURL) -> String? {
        let rivals = closest(served)
        return rivals.count > 1 ? doubt(between: rivals, for: url) : nil
    }

    /// - Parameter rivals: at least two.
    func doubt(between rivals: [AccountDirectory.Served], for url: URLPrefix.AskedURL) -> String {
        let names = rivals.prefix(20).map(\.name).joined(separator: ", ")
        let more = rivals.count > 20 ? ", and \(rivals.count - 20) more" : ""
        let question = "the tokens of several accounts are equally for \(url.origin): \(names)\(more); name one of them"
        guard let example = rivals.first(where: { $0.account != nil }) ?? rivals.first else { return question }
        let command = decision(for: example, among: rivals, for: url)
        guard example.account == nil else { return "\(question), or decide with `\(command)`" }
        if let word = wordToRename(example) {
            return "\(question), or decide with `postern accounts rename \(word) NAME && \(command)`, for a NAME of your choice"
        }
        let key = "postern config set account.NAME"
        return "\(question), or decide with `\(key).provider \(example.providerID) && \(key).login '{ id = \"ID\" }' && \(command)`, "
            + "for a NAME of your choice and an ID of `postern credentials`"
    }

    /// By which `postern accounts rename` finds an account: it renames only what the person keeps, and takes a word for a name or a provider
    /// first. Nil if there is none.
    private func wordToRename(_ served: AccountDirectory.Served) -> String? {
        guard let credential = served.credential, credential.keepers.isPerson else { return nil }
        return [credential.email, credential.subject].compactMap(\.self).first { word in
            guard CredentialStates.isPlain(word), directory[word] == nil, providers.directory[word] == nil else { return false }
            var count = 0
            providers.cache.forEach { if $0.keepers.isPerson, $0.isCalled(word) { count += 1 } }
            return count == 1
        }
    }

    /// The command after which one of them is closer than the others.
    private func decision(
        for example: AccountDirectory.Served, among rivals: [AccountDirectory.Served], for url: URLPrefix.AskedURL
    ) -> String {
        let (providerID, name) = (example.providerID, example.account?.name ?? "NAME")
        if rivals.allSatisfy({ $0.providerID == providerID }), directory.meant(by: providerID) == nil {
            return "postern config set provider.\(providerID).account \(name)"
        }
        let own = example.account?.prefixes ?? []
        // A URL of its own goes before what any provider serves; where they share one, it has to leave the others.
        guard !own.contains(example.prefix) else { return "postern config edit" }
        return Self.setting("account.\(name).for", own.map(\.text) + [example.prefix.text])
    }

    /// The command that sets a list of URLs. They hold no quotation mark, but may hold an apostrophe.
    private static func setting(_ key: String, _ urls: [String]) -> String {
        guard !urls.contains(where: { $0.holds("'") }) else { return "postern config edit" }
        return "postern config set \(key) '[\(urls.map { "\"\($0)\"" }.joined(separator: ", "))]'"
    }
}

extension AccountDirectory.Served {
    fileprivate func isOfSameAccount(as other: AccountDirectory.Served) -> Bool {
        providerID == other.providerID && credential.map(CredentialKey.init) == other.credential.map(CredentialKey.init)
    }

    /// By which a person knows it.
    fileprivate var name: String { account?.name ?? credential?.calling ?? providerID }
}

extension Provider {
    /// Whether people sign in there, or its tokens come from there.
    fileprivate func isOnHost(of url: URLPrefix.AskedURL) -> Bool {
        [issuer, endpoints.token, endpoints.authorization].contains { text in
            text.flatMap { try? EndpointURL($0) }?.host == url.host
        }
    }
}

extension Interface.ServedAccount {
    fileprivate init(_ served: AccountDirectory.Served) {
        self.init(
            providerID: served.providerID, uid: served.credential?.subject, account: served.account?.name,
            displayName: served.credential?.calling, prefix: served.prefix.text, builtIn: served.isBuiltIn ? true : nil,
            signedIn: served.credential != nil, rank: served.rank)
    }
}
