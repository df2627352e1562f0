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

    /// - Parameter wrong: the present one, of which only another spelling may be right.
    func askedIssuer(of target: SetupTarget, _ text: ConfigurationText, insteadOf wrong: String? = nil) throws -> String {
        guard let prompt else { throw AccountDialogue.declined }
        if let wrong, let other = try respelt(wrong, of: target, prompt) { return try checked(other, of: target, text) }
        return try checked(try answer(Self.question, prompt), of: target, text)
    }

    /// Asks for the issuer again, with the provider's own spelling as the answer of Enter; nil if it has no other one.
    private func respelt(_ wrong: String, of target: SetupTarget, _ prompt: Prompt) throws -> String? {
        let other = wrong.ends(with: "/") ? String(wrong.dropLast()) : wrong + "/"
        guard failures(atIssuer: other, of: target)?.isEmpty == true else { return nil }
        let answer = try prompt.line("Issuer (Enter: \(other), as the provider spells it):".plain)
        return answer.isEmpty ? other : Self.issuer(in: answer)
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
            guard let problem = failures(atIssuer: issuer, of: target)?.first else { return issuer }
            say(problem.plain)
            let wrong = issuer
            issuer =
                try respelt(wrong, of: target, prompt)
                ?? Self.issuer(in: try answer("Issuer (type the same again to use it anyway):", prompt))
            if issuer == wrong { return issuer }
        }
    }

    /// What a provider's console shows is often the URL of the metadata, which begins with the issuer.
    private static func issuer(in text: String) -> String {
        text.range(ofText: "/.well-known/").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// What a check of it fails with; nil if it could not be checked.
    private func failures(atIssuer issuer: String, of target: SetupTarget) -> [String]? {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.filter { $0.level == .fail }.map(\.detail)
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
