import PosternClient
import PosternConfiguration

import struct PosternCore.Provider
import struct PosternCore.ProviderRegistration

/// What the tokens are for: their scopes, and the servers that they are sent to.
extension SetupDialogue {
    typealias Purpose = ProviderRegistration.Purpose

    /// Nil if nobody says.
    func purpose(of target: SetupTarget, in draft: ClientDraft) throws -> Purpose? {
        var purposes = ProviderRegistration.of(target.id, target.kind)?.purposes ?? []
        guard let prompt, !purposes.isEmpty else { return nil }
        // Enter alone changes nothing where a client is there already.
        if draft.hasClient, let present = target.provider?.scopes {
            let place = purposes.firstIndex { $0.scopes == present }
            purposes.insert(place.map { purposes.remove(at: $0) } ?? Purpose("as it is now", present), at: 0)
        }
        let names = purposes.map { "\($0.name): \($0.scopes.joined(separator: " "))" } + ["other scopes"]
        guard let chosen = try prompt.choice("What are the tokens for?", among: names, firstIsUsual: true) else {
            throw AccountDialogue.declined
        }
        guard chosen == purposes.count else { return purposes[chosen] }
        let scopes = try typedScopes(of: target, draft.text, prompt)
        return Purpose("", scopes, isForGit: isForGit(scopes, of: target))
    }

    private func typedScopes(of target: SetupTarget, _ text: ConfigurationText, _ prompt: Prompt) throws -> [String] {
        while true {
            let scopes = Self.words(try answer("Scopes, with spaces between them:", prompt))
            guard let mistake = mistake(in: .list(scopes), for: "scopes", of: target, text) else { return scopes }
            say(mistake.plain)
        }
    }

    /// Those of an OpenID provider.
    private static let usual = PosternCore.Provider.openIDScopes

    private static func words(_ line: String) -> [String] { line.parts { $0 == " " || $0 == "," }.map(String.init) }

    /// Of a provider that is not built in nothing is known but its issuer.
    ///
    /// - Parameter issuer: of one that is new.
    func askWhatIsUnknown(of target: SetupTarget, at issuer: String?, in draft: inout ClientDraft) throws {
        if let name = answers.displayName { draft.put("display-name", .text(name)) }
        guard let prompt else { return }
        if target.provider == nil, answers.displayName == nil {
            let name = try prompt.line("Display name (Enter: \(target.id)):")
            if !name.isEmpty { draft.put("display-name", .text(name)) }
        }
        guard target.provider == nil || answers.clientID == nil && !ConfigurationText.isBuiltIn(target.id) && !draft.has("serves") else {
            return
        }
        while true {
            let servers = Self.words(try prompt.line("Servers that its tokens are for (https://…; Enter: none yet):"))
            guard !servers.isEmpty else { return }
            if let mistake = mistake(in: .list(servers), for: "serves", of: target, draft.text) {
                say(mistake.plain)
                continue
            }
            draft.put("serves", .list(servers))
            guard answers.scopes.isEmpty, let issuer else { return }
            let more = Self.words(try prompt.line("Scopes for them, beside openid, email and profile (Enter: none):"))
            guard !more.isEmpty else { return }
            // Scopes in the configuration are all that is asked for, so the one for a refresh token has to be among them.
            let renewing = listsOfflineAccess(issuer, of: target) ? ["offline_access"] : []
            draft.put("scopes", .list(Self.usual + (more + renewing).filter { !Self.usual.contains($0) }))
            return
        }
    }

    private func listsOfflineAccess(_ issuer: String, of target: SetupTarget) -> Bool {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.contains { $0.title == "refresh tokens" && $0.level == .ok } == true
    }

    /// The configuration's objection to a value; nil if it would be accepted.
    func mistake(in value: ConfigurationValue, for key: String, of target: SetupTarget, _ text: ConfigurationText) -> String? {
        let section = ["provider", target.id]
        var values: [(path: [String], value: ConfigurationValue)] = [(section + [key], value)]
        if target.provider == nil {
            values.append((section + ["kind"], .text("oidc")))
            if key != "issuer" { values.append((section + ["issuer"], .text("https://login.example.com"))) }
        }
        do { _ = try text.setting(values) } catch let error as ConfigurationError { return error.message } catch { return "\(error)" }
        return nil
    }
}
