import PosternClient
import PosternConfiguration

/// The issuer of an OpenID provider.
extension SetupDialogue {
    func issuer(of target: SetupTarget, _ text: ConfigurationText) throws -> String {
        if let issuer = answers.issuer { return try checked(issuer, of: target, text) }
        guard prompt != nil else {
            throw CommandFailure(
                "\(target.id) is not built in; give the issuer of an OpenID provider with --issuer".plain, status: .wrongUsage,
                advice: "postern provider list shows those that are there")
        }
        say("\(target.id) is not built in. Any OpenID provider can be set up with its issuer, the URL that identifies it.".plain)
        return try askedIssuer(of: target, text)
    }

    /// The present one, if there is one, is wrong.
    func askedIssuer(of target: SetupTarget, _ text: ConfigurationText) throws -> String {
        guard let prompt else { throw AccountDialogue.declined }
        return try checked(try answer(Self.question, prompt), of: target, text)
    }

    private static let question = "Issuer (https://…):"

    /// Checked before any further question, so that nobody registers anything after a typing error. Enter alone never takes a wrong one.
    private func checked(_ given: String, of target: SetupTarget, _ text: ConfigurationText) throws -> String {
        var issuer = Self.issuer(in: given)
        guard let prompt else { return issuer }
        while true {
            if let mistake = mistake(in: .text(issuer), for: "issuer", of: target, text) {
                say(mistake.plain)
                issuer = Self.issuer(in: try answer(Self.question, prompt))
                continue
            }
            guard let problem = problem(atIssuer: issuer, of: target) else { return issuer }
            say(problem.plain)
            let wrong = issuer
            let other = wrong.ends(with: "/") ? String(wrong.dropLast()) : wrong + "/"
            if isGood(issuer: other, of: target) {
                let answer = try prompt.line("Issuer (Enter: \(other), as the provider spells it):".plain)
                issuer = answer.isEmpty ? other : Self.issuer(in: answer)
            } else {
                issuer = Self.issuer(in: try answer("Issuer (the same once more to take it all the same):", prompt))
            }
            if issuer == wrong { return issuer }
        }
    }

    /// What a provider's console shows is often the URL of the metadata, which begins with the issuer.
    private static func issuer(in text: String) -> String {
        text.range(ofText: "/.well-known/").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// Why nobody can sign in there now; nil also if this cannot be determined.
    private func problem(atIssuer issuer: String, of target: SetupTarget) -> String? {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.first { $0.level == .fail }?.detail
    }

    private func isGood(issuer: String, of target: SetupTarget) -> Bool {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.contains { $0.level == .fail } == false
    }

    func checkTakesIssuer(_ target: SetupTarget, hasOne: Bool) throws {
        guard !hasOne else { return }
        guard ConfigurationText.isBuiltIn(target.id) else {
            throw CommandFailure(
                "\(target.id) has no issuer: the configuration names its endpoints one by one".plain, status: .wrongUsage,
                advice: "postern config edit changes them; or give the other provider its own name: postern setup work --issuer …")
        }
        throw CommandFailure(
            "\(target.id) is built in and takes no --issuer".plain, status: .wrongUsage,
            advice: "give the other provider its own name: postern setup work --issuer …")
    }

    /// For a provider that is set up: another issuer, if one is given or typed.
    func changedIssuer(of target: SetupTarget, hasOne: Bool, _ text: ConfigurationText) throws -> String? {
        if let issuer = answers.issuer {
            return try checked(issuer, of: target, text)
        }
        guard hasOne, !answers.isChange, let prompt else { return nil }
        let issuer = try prompt.line("Issuer (Enter: keep the current one):")
        return issuer.isEmpty ? nil : try checked(issuer, of: target, text)
    }
}
