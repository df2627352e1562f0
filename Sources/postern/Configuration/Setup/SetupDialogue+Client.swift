import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// The client: what is asked for it.
extension SetupDialogue {
    /// - Parameter failed: only that is asked for; nil: everything.
    func setUp(_ target: SetupTarget, fixing failed: Failed? = nil) throws {
        var (target, failed) = (target, failed)
        var purpose: Purpose?
        while true {
            if let asked = try change(target, fixing: failed) { purpose = asked }
            let examined = try examine(target)
            (target.provider, failed) = (examined.provider, try report(examined))
            guard failed != nil else { return try offerGit(target, purpose) }
        }
    }

    /// Asks, and writes the answers.
    ///
    /// - Returns: what the tokens are for, if that was asked.
    private func change(_ target: SetupTarget, fixing failed: Failed?) throws -> Purpose? {
        let text = try file.text(environment)
        var draft = try ClientDraft(of: target, in: text)
        var purpose: Purpose?
        switch failed {
        case .issuer: draft.put(text: try askedIssuer(of: target, text, insteadOf: draft.present("issuer")), for: "issuer")
        case .client: try askForOtherClient(in: &draft)
        case nil: purpose = try askForEverything(in: &draft)
        }
        draft.removeUnaskedSecret()
        try announceRemovals(of: draft)
        guard !draft.isEmpty else {
            say("Nothing needs to change.")
            return purpose
        }
        let (values, removed, place) = (draft.values, draft.removed, draft.place)
        try write(draft.secrets, to: text) { ConfigurationUpdate(change: try $0.setting(values, removing: removed, in: place)) }
        return purpose
    }

    private func askForEverything(in draft: inout ClientDraft) throws -> Purpose? {
        let (target, text) = (draft.target, draft.text)
        // Something new, for a client whose ID is already configured.
        let keepsClient = answers.clientID == nil && answers.isChange && draft.hasClient
        if target.provider != nil, answers.issuer != nil { try checkTakesIssuer(target, hasOne: draft.has("issuer")) }
        // The page need not be opened if everything that it gives is known already.
        let isComplete = answers.clientID != nil || keepsClient
        guard isComplete || prompt != nil else {
            throw CommandFailure(
                "\(target.displayName) gives a client ID when Postern is registered there; give it with --client-id", status: .wrongUsage,
                advice: "postern provider show \(target.id) says what to register; --client-secret-file gives the secret".plain)
        }
        if target.provider == nil {
            let issuer = try issuer(of: target, text)
            draft.put("kind", .text("oidc"))
            draft.put(text: issuer, for: "issuer")
            try askWhatIsUnknown(of: target, at: issuer, in: &draft)
        } else {
            if let issuer = try changedIssuer(of: target, hasOne: draft.has("issuer"), text) { draft.put(text: issuer, for: "issuer") }
            try askWhatIsUnknown(of: target, at: nil, in: &draft)
        }
        let purpose = answers.scopes.isEmpty && !keepsClient ? try purpose(of: target, in: draft) : nil
        let scopes = purpose?.scopes ?? answers.scopes
        if !scopes.isEmpty, scopes != target.provider?.scopes { draft.put("scopes", .list(scopes)) }
        warn(of: target, text)
        if !isComplete { try register(target, scopes: scopes, text) }
        for field in draft.fields { try fill(field, keepsClient: keepsClient, in: &draft) }
        return purpose
    }

    /// After the provider refused the one that is configured: Enter alone must not bring that back.
    private func askForOtherClient(in draft: inout ClientDraft) throws {
        while true {
            for field in draft.fields { try fill(field, isRefused: true, in: &draft) }
            guard draft.isEmpty else { return }
            say("That is the client that \(draft.target.displayName) refused.")
        }
    }

    private func fill(
        _ field: ProviderRegistration.Field, keepsClient: Bool = false, isRefused: Bool = false, in draft: inout ClientDraft
    ) throws {
        switch field.kind {
        case .text where keepsClient && draft.has(field.key): return
        case .text: draft.put(text: try value(of: field, isRefused: isRefused, in: draft), for: field.key)
        case .secretFile where keepsClient && draft.has(field.key): return
        case .secretFile:
            guard let prompt else { throw incomplete(draft.target) }
            draft.put(field.key, .secret(.file(try answer(field.label + ":", prompt))))
        case .secret(let whenEmpty):
            let keepsSecret = draft.has(field.key) && !draft.isOtherClient && !isRefused
            if keepsClient, keepsSecret || whenEmpty != nil, answers.clientSecretFile == nil { return }
            if let secret = try secret(field, whenEmpty: keepsSecret ? "Enter: keep the current one" : whenEmpty, isRefused: isRefused) {
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

    private func value(of field: ProviderRegistration.Field, isRefused: Bool, in draft: ClientDraft) throws -> String {
        if !isRefused, ProviderRegistration.Field.isID(field.key), let given = answers.clientID {
            if ConfigurationText.isBuiltIn(draft.target.id), let mistake = mistake(in: given, for: field, of: draft.target) {
                throw CommandFailure(mistake, status: .wrongUsage)
            }
            return given
        }
        guard let prompt else { throw incomplete(draft.target) }
        var doubted: String?
        while true {
            var value = ""
            if let present = draft.present(field.key) {
                value = try prompt.line("\(field.label) (Enter: keep \(present.plain)):")
                if value.isEmpty { return present }
            } else {
                value = try answer(field.label + ":", prompt)
            }
            guard let mistake = mistake(in: value, for: field, of: draft.target) else { return value }
            // Another provider may have such names, though the person's own address is more likely.
            guard ConfigurationText.isBuiltIn(draft.target.id) || value != doubted else { return value }
            say(mistake)
            doubted = value
        }
    }

    /// No built-in provider's client has an address for a name: it is the person's own.
    private func mistake(in value: String, for field: ProviderRegistration.Field, of target: SetupTarget) -> String? {
        guard ProviderRegistration.Field.isID(field.key), value.utf8.contains(UInt8(ascii: "@")) else { return nil }
        return "\(value.plain) is an e-mail address; the \(field.label) is on the page that \(target.displayName) shows "
            + "when Postern is registered there"
    }

    func answer(_ question: String, _ prompt: Prompt) throws -> String {
        while true {
            let answer = try prompt.line(question)
            if !answer.isEmpty { return answer }
            say("Nothing was typed, and it is needed. Ctrl-C ends this.")
        }
    }

    /// Nil if there is none.
    private func secret(_ field: ProviderRegistration.Field, whenEmpty: String?, isRefused: Bool) throws -> String? {
        if !isRefused, let path = answers.clientSecretFile { return try SecretFile.read(path) }
        guard let prompt else { return nil }
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
