import PosternClient
import PosternConfiguration

/// The issuer of an OpenID provider.
extension SetupDialogue {
    func issuer(of target: SetupTarget, _ text: ConfigurationText) throws -> String {
        if let issuer = answers.issuer { return try checked(issuer, of: target, text) }
        guard let prompt else {
            throw CommandFailure(
                "\(target.id) is not built in; give the issuer of an OpenID provider with --issuer".plain, status: .wrongUsage,
                advice: "postern provider list shows those that are there")
        }
        say("\(target.id) is not built in. Any OpenID provider can be set up with its issuer, the URL that identifies it.".plain)
        return try checked(try answer("Issuer (https://…):", prompt), of: target, text)
    }

    /// Checked before any further question, so that nobody registers anything after a typing error.
    private func checked(_ given: String, of target: SetupTarget, _ text: ConfigurationText) throws -> String {
        guard let prompt else { return given }
        var issuer = given
        while true {
            if let mistake = mistake(inIssuer: issuer, of: target, text) {
                say(mistake.plain)
                issuer = try answer("Issuer (https://…):", prompt)
            } else if let problem = problem(atIssuer: issuer, of: target) {
                say(problem.plain)
                let another = try prompt.line("Issuer (Enter alone: \(issuer.plain), all the same):")
                guard !another.isEmpty else { return issuer }
                issuer = another
            } else {
                return issuer
            }
        }
    }

    /// The configuration's objection to it; nil if it would be accepted.
    private func mistake(inIssuer issuer: String, of target: SetupTarget, _ text: ConfigurationText) -> String? {
        let section = ["provider", target.id]
        var values: [(path: [String], value: ConfigurationValue)] = [(section + ["issuer"], .text(issuer))]
        if target.provider == nil { values.append((section + ["kind"], .text("oidc"))) }
        do { _ = try text.setting(values) } catch let error as ConfigurationError { return error.message } catch { return "\(error)" }
        return nil
    }

    /// Why nobody can sign in there now; nil also if this cannot be determined.
    private func problem(atIssuer issuer: String, of target: SetupTarget) -> String? {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.first { $0.level == .fail }?.detail
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
