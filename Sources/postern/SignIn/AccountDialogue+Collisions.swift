import PosternClient

/// The questions to the user if an account or an address already belongs to a user.
extension AccountDialogue {
    /// The address belongs to a user with other ways to sign in: they use one of these, and the new account is linked.
    func joinOwner(
        of email: String, _ owners: [String], _ credential: Credential, _ way: SignInWay, _ refusal: InterfaceError
    ) throws -> Proved {
        guard let prompt, let handle = credential.handle, !owners.isEmpty else { throw advice(way, .signIn).failure(refusal) }
        let newName = name(of: way)
        let owner = owners[try chosenOwner(of: email, owners, newName: newName, prompt)]
        let owned = try prove(self.way(owner, email: email), .signIn)
        // Nobody else may get the account by signing in; the rules ensure it, but this message is clearer.
        guard let user = owned.result?.user, user.email?.lowercased() == email.lowercased() else {
            let name = owned.result.map { PersonText.name(of: $0.user) } ?? "another user"
            throw CommandFailure("you are signed in as \(name), to whom \(email.plain) does not belong; \(newName) was not linked")
        }
        prompt.say(PersonText.outcome(of: owned))
        do {
            return try settle(CredentialInput(handle: handle), .link, wayName: newName)
        } catch PosternError.refused(.invalidCredential(let message)) {
            let command = advice().command("link \(way.providerID)")
            throw CommandFailure(message.plain, advice: "it took longer than a handle is good for, perhaps; link it with: \(command)".plain)
        } catch PosternError.refused(let refusal) {
            throw advice(way, .link).failure(refusal)
        }
    }

    private func chosenOwner(of email: String, _ owners: [String], newName: String, _ prompt: Prompt) throws -> Int {
        let names = owners.map { name(ofProvider: $0) }
        guard names.count > 1 else {
            prompt.say("\(email.plain) belongs to a user who signs in with \(names[0]).")
            guard try prompt.isYes("Sign in with \(names[0]) and link \(newName) to it?", byDefault: true) else { throw Self.declined }
            return 0
        }
        prompt.say("\(email.plain) belongs to a user who signs in with one of these:")
        let question = "Sign in with which one, and link \(newName) to it?"
        guard let index = try prompt.choice(question, among: names) else { throw Self.declined }
        return index
    }

    /// The provider does not say whether the account is the one that the name is for: the user does.
    func confirm(
        _ account: String, _ uid: String, _ credential: Credential, _ way: SignInWay, _ intent: Intent, _ refusal: InterfaceError
    ) throws -> Proved {
        guard let prompt, let handle = credential.handle else { throw advice(way, intent).failure(refusal) }
        prompt.say("The provider does not say for certain that this is the account that \(way.providerID.plain) is for.")
        let called = account == uid ? account.plain : "\(account.plain) (\(uid.plain))"
        guard try prompt.isYes("Is \(called) yours, and the one to keep as \(way.providerID.plain)?", byDefault: false) else {
            throw Self.declined
        }
        do {
            guard intent == .keep else { return try settle(CredentialInput(handle: handle), intent, wayName: name(of: way)) }
            let reply = try raw(Interface.SignIn(providerID: way.providerID, intent: .keep, confirmation: handle))
            guard let account = try PosternConnection.read(Interface.SignIn.Reply.self, from: reply).event.account else {
                throw PosternError.malformedReply(reason: "what was confirmed has no account")
            }
            return proof(of: account, reply: reply)
        } catch PosternError.refused(let further) {
            return try goOn(after: further, way, intent)
        }
    }

    /// The account to be linked belongs to another user: the person may sign in as that user.
    func becomeOwner(by credential: Credential, _ way: SignInWay, _ refusal: InterfaceError) throws -> Proved {
        guard let prompt, let handle = credential.handle else { throw advice(way, .link).failure(refusal) }
        let name = name(of: way)
        prompt.say("That account of \(name) belongs to another user here.")
        guard try prompt.isYes("Sign in as that user instead?", byDefault: false) else { throw Self.declined }
        do {
            return try settle(CredentialInput(handle: handle), .signIn, wayName: name)
        } catch PosternError.refused(.secondFactorRequired(_, let resolver, let hints)) {
            return try secondFactor(of: SecondFactorChallenge(resolver: resolver, factors: hints), wayName: name)
        } catch PosternError.refused(let refusal) {
            throw advice(way, .signIn).failure(refusal)
        }
    }

    /// One of a user's providers, requested only with the options that hold for every page of this command.
    func way(_ providerID: String, email: String?) -> SignInWay {
        guard providerID != SignInWay.passwordID else { return .password(email: email) }
        return .provider(Interface.SignIn(providerID: providerID, app: common.app, timeoutSeconds: ask?.timeout?.seconds))
    }
}
