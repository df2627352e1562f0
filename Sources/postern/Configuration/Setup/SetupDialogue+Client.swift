import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// The client: what is asked for it.
extension SetupDialogue {
    func setUp(_ target: SetupTarget) throws {
        let text = try file.text(environment)
        var draft = try ClientDraft(of: target, in: text)
        // A new secret or a new issuer, for a client whose ID is already configured.
        let keepsClient = answers.clientID == nil && draft.has("client-id") && (answers.clientSecretFile != nil || answers.issuer != nil)
        if target.provider != nil, answers.issuer != nil { try checkTakesIssuer(target, hasOne: draft.has("issuer")) }
        // The page need not be opened if everything that it gives is known already.
        let isComplete = answers.clientID != nil || keepsClient
        guard isComplete || prompt != nil else {
            throw CommandFailure(
                "\(target.displayName) gives a client ID when Postern is registered there; give it with --client-id", status: .wrongUsage,
                advice: "postern provider show \(target.id) says what to register; --client-secret-file gives the secret".plain)
        }
        if target.provider == nil {
            draft.put("kind", .text("oidc"))
            draft.put("issuer", .text(try issuer(of: target, text)))
        } else if let issuer = try changedIssuer(of: target, hasOne: draft.has("issuer"), text) {
            draft.put("issuer", .text(issuer))
        }
        if let name = answers.displayName { draft.put("display-name", .text(name)) }
        warn(of: target, text)
        if !isComplete { try register(target, text) }
        for field in draft.fields { try fill(field, keepsClient: keepsClient, in: &draft) }
        draft.removeUnaskedSecret()
        try announceRemovals(of: draft)
        let (values, removed, place) = (draft.values, draft.removed, draft.place)
        try write(draft.secrets, to: text) { ConfigurationUpdate(change: try $0.setting(values, removing: removed, in: place)) }
        try check(target)
    }

    private func fill(_ field: ProviderRegistration.Field, keepsClient: Bool, in draft: inout ClientDraft) throws {
        switch field.kind {
        case .text where keepsClient && draft.has(field.key): return
        case .text: draft.put(text: try value(of: field, of: draft.target), for: field.key)
        case .secretFile:
            guard let prompt else { throw incomplete(draft.target) }
            draft.put(field.key, .secret(.file(try answer(field.label + ":", prompt))))
        case .secret(let whenEmpty):
            let keepsSecret = draft.has(field.key) && !draft.isOtherClient
            let isAsked = answers.clientID == nil || draft.isOtherClient
            let hint = keepsSecret ? "Enter: keep the current one" : whenEmpty
            if let secret = try secret(field, whenEmpty: hint, isAsked: isAsked) {
                let placed = PlacedSecret(
                    providerID: draft.target.id, key: field.key, placement: answers.placement, directory: draft.directory,
                    environment: environment)
                return try draft.put(secret, in: placed)
            }
            guard !keepsSecret else { return }
            guard whenEmpty != nil else { throw incomplete(draft.target) }
            draft.putNoSecret(for: field.key)
        }
    }

    private func announceRemovals(of draft: ClientDraft) throws {
        for path in draft.removed {
            let key = path.joined(separator: ".")
            guard draft.text.userFile(with: path) == draft.place else {
                throw CommandFailure(
                    "\(key) is the old client's, and does not stand in \(draft.place)".plain,
                    advice: "give the new client's with --client-secret-file; postern config show says where the old one stands")
            }
            say("The secret was the old client's, so \(key) goes; --client-secret-file gives the new one's.".plain)
        }
    }

    private func value(of field: ProviderRegistration.Field, of target: SetupTarget) throws -> String {
        if ProviderRegistration.Field.isID(field.key), let given = answers.clientID { return given }
        guard let prompt else { throw incomplete(target) }
        return try answer(field.label + ":", prompt)
    }

    func answer(_ question: String, _ prompt: Prompt) throws -> String {
        while true {
            let answer = try prompt.line(question)
            if !answer.isEmpty { return answer }
            say("Nothing was typed, and it is needed. Ctrl-C ends this.")
        }
    }

    /// Nil if there is none.
    private func secret(_ field: ProviderRegistration.Field, whenEmpty: String?, isAsked: Bool) throws -> String? {
        if let path = answers.clientSecretFile { return try SecretFile.read(path) }
        guard isAsked, let prompt else { return nil }
        while true {
            let hint = whenEmpty.map { "; \($0)" } ?? ""
            let answer = PastedLines.trimmed(try prompt.secret("\(field.label) (not shown\(hint)):"))
            if !answer.isEmpty { return answer }
            if whenEmpty != nil { return nil }
            say("Nothing was typed, and it is needed. Ctrl-C ends this.")
        }
    }

    private func incomplete(_ target: SetupTarget) -> CommandFailure {
        CommandFailure(
            "\(target.displayName) needs more than was given", status: .wrongUsage,
            advice: "postern provider show \(target.id) says what; use --client-secret-file, or run it in a terminal".plain)
    }
}
