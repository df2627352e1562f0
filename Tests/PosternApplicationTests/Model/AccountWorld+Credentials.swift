import PosternCore
import PosternCrypto
import StrictJSON

/// Handles, tokens, passwords and second factors.
extension AccountWorld {
    // MARK: Credentials

    /// What the answer gave to continue with.
    func note(
        _ reply: RecordedReply, _ outcome: AccountModel.Outcome, _ account: AccountModel.Account?, proof: AccountModel.Proof, moment: Int64,
        _ intent: AccountModel.Intent, app: Int, owner: AccountModel.Owner?
    ) {
        let credential = reply.error?.object["credential"]?.objectValue ?? reply.event?["credential"]?.objectValue
        if let handle = credential?["handle"]?.stringValue, let account {
            let number = model.newNumber()
            handles[number] = handle
            if intent == .credential { idTokens[number] = credential?["idToken"]?.stringValue }
            model.handles.append(
                AccountModel.Handle(
                    number: number, account: account, moment: moment, proof: proof, app: app, uid: model.apps[app]?.uid,
                    expiresAt: model.now + 300))
        }
        guard outcome == .refused("SecondFactorRequired"), let error = reply.error?.object, let resolver = error["resolver"]?.stringValue,
            let factor = error["hints"]?.arrayValue?.first?.objectValue?["uid"]?.stringValue
        else { return }
        let owned: AccountModel.User?
        if let account {
            owned = model.users.first { $0.identities.contains(where: account.isAccount) } ?? model.current(app)?.user
        } else {
            owned = nil
        }
        // The factor tells whose it is.
        guard let uid = model.users.first(where: { factors[$0.uid] == factor })?.uid ?? owned?.uid else { return }
        let number = model.newNumber()
        resolvers[number] = (resolver, factor)
        model.resolvers.append(
            AccountModel.Resolver(
                number: number, uid: uid, app: app, account: account, proof: proof, moment: moment, intent: intent, owner: owner,
                expiresAt: model.now + 600))
    }

    func settle(
        _ credential: JSON, _ account: AccountModel.Account, app: Int, _ choices: [Int], proof: AccountModel.Proof, moment: Int64
    ) throws -> AccountModel.Outcome {
        let intents: [AccountModel.Intent] = [.signIn, .link, .reauthenticate]
        let intent = intents[choices[2] % intents.count]
        let owner = model.owner(app)
        let outcome = model.settle(account, intent, app: app, proof: proof, moment: moment)
        let reply = daemon.call("SignInWithCredential", ["credential": credential, "intent": .string(intent.rawValue), "app": name(app)])
        try check(reply, outcome)
        note(reply, outcome, account, proof: proof, moment: moment, intent, app: app, owner: owner)
        return outcome
    }

    func useHandle(_ app: Int, _ choices: [Int]) throws {
        guard !handles.isEmpty else { return }
        let numbers = handles.keys.sorted()
        let number = numbers[choices[1] % numbers.count]
        // One that is used or over was tried at once (``usedHandle(in:)``).
        guard let text = handles[number], let handle = model.handles.first(where: { $0.number == number }) else { return }
        let credential: JSON = ["handle": .string(text)]
        let outcome = try settle(credential, handle.account, app: app, choices, proof: handle.proof, moment: handle.moment)
        if Self.uses(outcome) { use(number) }
    }

    /// Whether a handle is over after this.
    static func uses(_ outcome: AccountModel.Outcome) -> Bool {
        switch outcome {
        case .refused("NoCurrentUser"), .refused("UserMismatch"), .refused("ProviderAlreadyLinked"), .refused("EmailAlreadyInUse"),
            .refused("RequiresRecentSignIn"), .refused("InvalidCredential"):
            false
        default: true
        }
    }

    func use(_ number: Int) {
        let token = idTokens[number]
        model.handles.removeAll { $0.number == number || token != nil && idTokens[$0.number] == token }
    }

    func present(_ app: Int, _ choices: [Int], isIDToken: Bool) throws {
        let provider = isIDToken ? .work : AccountModel.Provider(rawValue: choices[3] % 3) ?? .plain
        let account = account(choices[1], at: provider)
        // It stands alone here: what it does not say, nobody does.
        if provider == .work { providers.place = 0 }
        var credential: JSONObject = ["providerID": .string("\(provider)")]
        if isIDToken {
            credential["idToken"] = .string(providers.idToken(of: account, nonce: "nonce"))
            credential["rawNonce"] = "nonce"
        } else {
            credential["accessToken"] = .string(providers.accessToken(of: account))
        }
        _ = try settle(
            .object(credential), account, app: app, choices, proof: isIDToken ? .idToken : .accessToken, moment: model.now)
    }

    func presentOwn(_ app: Int, _ choices: [Int]) throws {
        guard !ownIDTokens.isEmpty else { return }
        let own = ownIDTokens.remove(at: choices[1] % ownIDTokens.count)
        let intents: [AccountModel.Intent] = [.signIn, .link, .reauthenticate]
        let credential: JSON = ["providerID": "work", "idToken": .string(own.token), "rawNonce": .string(own.nonce)]
        let reply = daemon.call(
            "SignInWithCredential",
            ["credential": credential, "intent": .string(intents[choices[2] % 3].rawValue), "app": name(app)])
        guard reply.error != nil else { throw Mismatch(description: "an ID token that came with a sign-in was taken again") }
    }

    func signInByPassword(_ app: Int, _ choices: [Int]) throws {
        let owners = model.users.filter { $0.password != nil }
        guard !owners.isEmpty else { return }
        let user = owners[choices[1] % owners.count]
        try signInByPassword(user, choices[2].isMultiple(of: 3) ? .reauthenticate : .signIn, app: app)
    }

    private func signInByPassword(_ user: AccountModel.User, _ intent: AccountModel.Intent, app: Int) throws {
        // If addresses are shared, which they are not here, the password would be another's.
        guard let email = user.email, let password = user.password else { return }
        let owner = model.owner(app)
        let outcome = model.signIn(password: user.uid, intent, app: app)
        let credential: JSON = ["email": .string(email), "password": .string(password)]
        let reply = daemon.call("SignInWithCredential", ["credential": credential, "intent": .string(intent.rawValue), "app": name(app)])
        try check(reply, outcome)
        note(reply, outcome, nil, proof: .flow, moment: model.now, intent, app: app, owner: owner)
    }

    /// Whose the app is comes to the other one, too.
    func signInBeside(_ app: Int) throws {
        guard let user = model.current(app)?.user else { return }
        let other = 1 - app
        if let known = user.identity(at: .work) {
            let isOwn = model.addressOwners.indices.contains { address($0) == known.email && model.addressOwners[$0] == known.owner }
            let account = AccountModel.Account(
                provider: .work, owner: known.owner, subject: known.subject, email: known.email,
                word: isOwn || known.email == nil ? nil : false)
            providers.place = 0
            let credential: JSON = [
                "providerID": "work", "idToken": .string(providers.idToken(of: account, nonce: "nonce")), "rawNonce": "nonce",
            ]
            _ = try settle(credential, account, app: other, [0, 0, 0, 0], proof: .idToken, moment: model.now)
        } else if user.password != nil {
            try signInByPassword(user, .signIn, app: other)
        }
    }

    // MARK: Second factors

    func enroll(_ app: Int) throws {
        // Few may; the others are tried when nobody may.
        let app = Self.apps.indices.first(where: model.mayEnroll) ?? app
        guard let user = model.current(app)?.user, !user.isAnonymous else { return }
        pass(31)
        let outcome = model.enroll(app: app)
        let reply = daemon.call("EnrollSecondFactor", ["factorID": "totp", "app": name(app)])
        guard case .user = outcome else { return try check(reply, outcome) }
        guard let id = reply["enrollmentID"]?.stringValue, let authenticator = reply["secret"]?.stringValue.map(Authenticator.init) else {
            throw Mismatch(description: "no second factor was begun: \(reply.message)")
        }
        authenticators[user.uid] = authenticator
        let confirmed = daemon.call(
            "ConfirmSecondFactor", ["enrollmentID": .string(id), "verificationCode": .string(authenticator.code(at: daemon.clock.now)), "app": name(app)])
        factors[user.uid] = confirmed["user"]?.objectValue?["secondFactors"]?.arrayValue?.first?.objectValue?["uid"]?.stringValue
        guard factors[user.uid] != nil else { throw Mismatch(description: "no second factor was confirmed: \(confirmed.message)") }
    }

    func resolve(_ choices: [Int]) throws {
        guard !resolvers.isEmpty else { return }
        pass(31)
        model.endOwnedPages()
        let numbers = resolvers.keys.sorted()
        let number = numbers[choices[0] % numbers.count]
        guard let (text, factor) = resolvers.removeValue(forKey: number) else { return }
        let waiting = model.resolvers.first { $0.number == number }
        model.resolvers.removeAll { $0.number == number }
        let authenticator = waiting.flatMap { authenticators[$0.uid] }
        let reply = daemon.call(
            "ResolveSecondFactor",
            ["resolver": .string(text), "uid": .string(factor), "verificationCode": .string(authenticator?.code(at: daemon.clock.now) ?? "000000")])
        guard let waiting else {
            if reply.error == nil { throw Mismatch(description: "a resolver that is over signed somebody in") }
            return
        }
        var after = model
        let outcome: AccountModel.Outcome
        if let account = waiting.account {
            outcome = after.settle(
                account, waiting.intent, app: waiting.app, proof: waiting.proof, moment: waiting.moment, asked: .earlier(waiting.owner),
                hasFactor: true)
        } else if waiting.intent == .reauthenticate, waiting.owner != model.owner(waiting.app) {
            outcome = .refused("UserMismatch")
        } else {
            outcome = after.signIn(password: waiting.uid, waiting.intent, app: waiting.app, hasFactor: true)
        }
        guard case .user(let uid) = outcome, uid == waiting.uid else {
            if reply.error == nil { throw Mismatch(description: "a second factor was taken, where \(outcome)") }
            return
        }
        model = after
        try check(reply, outcome)
    }
}
