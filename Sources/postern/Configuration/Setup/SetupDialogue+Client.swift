import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// The client: what is asked for it, and what goes into its section of the configuration.
extension SetupDialogue {
    func setUp(_ target: SetupTarget) throws {
        let text = try file.text(environment)
        var values: [(path: [String], value: ConfigurationValue)] = []
        func put(_ key: String, _ value: ConfigurationValue) { values.append((["provider", target.id, key], value)) }
        let old = try text.entries(at: ["provider", target.id])
        func has(_ key: String) -> Bool { old.contains { text.path($0.key) == ["provider", target.id, key] } }
        // A new secret or a new issuer, for a client whose ID is already configured.
        let keepsClient = answers.clientID == nil && has("client-id") && (answers.clientSecretFile != nil || answers.issuer != nil)
        if target.provider != nil, answers.issuer != nil { try checkTakesIssuer(target, hasOne: has("issuer")) }
        // The page need not be opened if everything that it gives is known already.
        let isComplete = answers.clientID != nil || keepsClient
        guard isComplete || prompt != nil else {
            throw CommandFailure(
                "\(target.displayName) gives a client ID when Postern is registered there; give it with --client-id", status: .wrongUsage,
                advice: "postern provider show \(target.id) says what to register; --client-secret-file gives the secret".plain)
        }
        if target.provider == nil {
            put("kind", .text("oidc"))
            put("issuer", .text(try issuer(of: target, text)))
        } else if let issuer = try changedIssuer(of: target, hasOne: has("issuer"), text) {
            put("issuer", .text(issuer))
        }
        if let name = answers.displayName { put("display-name", .text(name)) }
        warn(of: target, text)
        if !isComplete { try register(target, text) }

        var secrets: [(PlacedSecret, String)] = []
        var removed: [[String]] = []
        let oldID = old.first { text.path($0.key)?.last.map(ProviderRegistration.Field.isID) == true }?.text
        var isOtherClient = false
        let directory = ReplacedFile.directory(of: text.mainFile)
        for field in ProviderRegistration.fields(of: target.id, target.kind) {
            switch field.kind {
            case .text where keepsClient && has(field.key): continue
            case .text:
                guard let value = try value(of: field, of: target) else { continue }
                put(field.key, .text(value))
                // The secret of another client cannot be kept.
                if ProviderRegistration.Field.isID(field.key), let oldID, oldID != value { isOtherClient = true }
            case .secretFile:
                guard let prompt else { throw incomplete(target) }
                put(field.key, .secret(.file(try answer(field.label + ":", prompt))))
            case .secret(let whenEmpty):
                let keepsSecret = has(field.key) && !isOtherClient
                let isAsked = answers.clientID == nil || isOtherClient
                let hint = keepsSecret ? "Enter: keep the current one" : whenEmpty
                guard let secret = try secret(field, whenEmpty: hint, isAsked: isAsked) else {
                    guard keepsSecret || whenEmpty != nil else { throw incomplete(target) }
                    if has(field.key), !keepsSecret { removed.append(["provider", target.id, field.key]) }
                    if !keepsSecret, let flow = ProviderRegistration.of(target.id, target.kind)?.flowWithoutSecret {
                        put("flow", .text(flow.rawValue))
                    }
                    continue
                }
                let placed = PlacedSecret(
                    providerID: target.id, key: field.key, placement: answers.placement, directory: directory, environment: environment)
                put(field.key, try placed.value())
                secrets.append((placed, secret))
                if old.contains(where: { text.path($0.key) == ["provider", target.id, "flow"] && $0.text == "device" }) {
                    put("flow", .text("browser"))
                }
            }
        }
        let place = text.userFile(with: ["provider", target.id]) ?? "\(directory)/config.d/\(target.id).toml"
        // For providers where Postern needs none, a person may have configured one.
        let isAskedFor = ProviderRegistration.fields(of: target.id, target.kind).contains { $0.key == "client-secret" }
        if isOtherClient, !isAskedFor, has("client-secret") { removed.append(["provider", target.id, "client-secret"]) }
        for path in removed {
            let key = path.joined(separator: ".")
            guard text.userFile(with: path) == place else {
                throw CommandFailure(
                    "\(key) is the old client's, and does not stand in \(place)".plain,
                    advice: "give the new client's with --client-secret-file; postern config show says where the old one stands")
            }
            say("The secret was the old client's, so \(key) goes; --client-secret-file gives the new one's.".plain)
        }
        try write(secrets, to: text) { ConfigurationUpdate(change: try $0.setting(values, removing: removed, in: place)) }
        try check(target)
    }

    private func value(of field: ProviderRegistration.Field, of target: SetupTarget) throws -> String? {
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
