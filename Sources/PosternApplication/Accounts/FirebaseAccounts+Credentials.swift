import PosternCore

extension FirebaseAccounts {
    func settle(_ source: CredentialSource, intent: Intent, app: AppName) async throws(AccountFailure) -> Settlement? {
        switch source {
        case .session(let session, let standing, let expiresAt, let isAbandoned):
            let owner = session.request.owner
            return try await alone(app) { () async throws(AccountFailure) in
                try await self.settle(
                    session, standing, expiresAt: expiresAt, intent: intent, app: app,
                    asked: isAbandoned ? .abandoned(owner) : .earlier(owner))
            }
        case .handle(let handle):
            return try await alone(app, for: intent) { () async throws(AccountFailure) in
                try await self.settle(handle: handle, intent: intent, app: app)
            }
        case .presented(let standing, let token, let owner):
            return try await alone(app, for: intent) { () async throws(AccountFailure) in
                try await self.settle(presented: standing, token, intent: intent, app: app, owner: owner)
            }
        }
    }

    private func settle(
        presented standing: StandingCredential, _ token: SpentToken?, intent: Intent, app: AppName, owner: PageOwner?
    ) async throws(AccountFailure) -> Settlement? {
        let now = platform.now
        // Before the project is told about it.
        let isSpent = try await store.forAccounts.change { accounts throws(AccountFailure) in
            (
                try token.map { token throws(AccountFailure) in try accounts.isSpent(token.hash, now: now) } ?? false,
                AccountChanges()
            )
        }
        guard !isSpent else { return nil }
        let asked = intent == .signIn ? AskedMoment.now : .earlier(owner)
        switch try await judge(standing.completed, intent: intent, app: app, asked: asked) {
        case .admitted(let admission):
            let now = platform.now
            let settlement: Settlement? = try await store.forAccounts.change { accounts throws(AccountFailure) in
                if let token, try accounts.isSpent(token.hash, now: now) { return (nil, AccountChanges()) }
                var (outcome, changes) = try admission.outcome(of: standing, accounts)
                try outcome.requireCredentialUsed(app: app)
                changes.spends = token.map { AccountChanges.Spending($0, now: now) }
                return (Settlement(outcome: outcome, binding: standing.binding), changes)
            }
            await stored(admission)
            return settlement
        case .refused(let refusal, let completed):
            return Settlement(outcome: .refused(refusal, completed), binding: standing.binding)
        }
    }

    private func settle(
        _ session: SignInSession, _ standing: StandingCredential, expiresAt: Timestamp, intent: Intent, app: AppName, asked: AskedMoment
    ) async throws(AccountFailure) -> Settlement {
        let spending = platform.spending(of: standing.completed)
        // The project may take longer than a lock waits. When the store is opened after that, the sign-in has failed.
        let store = try store.forAccounts
        let ended: (outcome: SignInOutcome, credential: StoredCredential?)
        switch try await judge(standing.completed, intent: intent, app: app, asked: asked) {
        case .admitted(let admission):
            ended = try await store.finish(
                sessionID: session.id, expiresAt: expiresAt,
                deciding: { accounts throws(AccountFailure) in
                    var (outcome, changes) = try admission.outcome(of: standing, accounts)
                    changes.spends = spending
                    return (outcome, changes)
                })
            await stored(admission)
        case .refused(let refusal, let completed):
            let now = platform.now
            ended = try await store.finish(
                sessionID: session.id, expiresAt: expiresAt,
                deciding: { accounts throws(AccountFailure) in
                    // We keep what the provider gave, whatever the project thinks of it: a new sign-in would not ask for consent again.
                    let identity = completed.profile.identity
                    let held = try accounts.credential(providerID: identity.providerID, subject: identity.subject)
                    var changes = AccountChanges()
                    changes.spends = spending
                    if refusal.firebase?.code == .networkError {
                        changes.credential = CredentialWrite(of: standing, for: .app(app), beside: held, now: now)
                    }
                    return (.refused(refusal, completed), changes)
                })
        }
        return Settlement(outcome: ended.outcome, binding: standing.binding, credential: ended.credential)
    }

    /// The handle is used up once the project has judged it. It stays valid if the project could not be reached, or if the refusal is about
    /// who is signed in.
    private func settle(handle: String, intent: Intent, app: AppName) async throws(AccountFailure) -> Settlement? {
        guard handlesInUse.insert(handle).inserted else { return nil }
        defer { handlesInUse.remove(handle) }
        let (now, cryptography) = (platform.now, platform.cryptography)
        guard let standing = try await providers.standing(handle: handle, for: app) else { return nil }
        switch try await judge(standing.completed, intent: intent, app: app) {
        case .admitted(let admission):
            let then = platform.now
            let settled: Settlement?? = try await store.forAccounts.change(handle: handle, now: then) {
                record, accounts throws(AccountFailure) in
                guard try !record.isSpent(accounts, now: then, cryptography: cryptography) else { return (nil, AccountChanges()) }
                var (outcome, changes) = try admission.outcome(of: standing, accounts)
                try outcome.requireCredentialUsed(app: app)
                changes.spends = AccountChanges.Spending(of: standing.completed, now: now, cryptography: cryptography)
                return (Settlement(outcome: outcome, binding: standing.binding), changes)
            }
            await stored(admission)
            return settled ?? nil
        case .refused(let refusal, let completed):
            let outcome = SignInOutcome.refused(refusal, completed)
            try outcome.requireCredentialUsed(app: app)
            let then = platform.now
            let used = try await store.ask { store throws(StoreError) in try await store.consumeHandle(handle, now: then) }
            return used.map { _ in Settlement(outcome: outcome, binding: standing.binding) }
        }
    }

    // MARK: Judging

    private enum Judgement: Sendable {
        case admitted(FirebaseAdmission)
        case refused(AccountRefusal, CompletedSignIn)
    }

    /// Passes the credential to the project. A refusal carries the credential, or perhaps a new one instead.
    private func judge(
        _ completed: CompletedSignIn, intent: Intent, app: AppName, asked: AskedMoment = .now
    ) async throws(AccountFailure) -> Judgement {
        let identity = completed.profile.identity
        do throws(AccountFailure) {
            try AccountFailure.wrapping(rule: completed.proof.require(for: intent, at: identity.providerID, isPage: asked != .now))
            guard completed.profile.namesPerson else { throw .refused(.personUnknown) }
            let current = try await current(for: intent, app: app)
            if let current { try AccountFailure.wrapping(rule: asked.require(current.owner)) }
            if intent == .signIn {
                let owner = try await pageOwner(app: app)
                try AccountFailure.wrapping(rule: asked.requireReplaceable(owner))
            }
            if intent == .reauthenticate, let current,
                let link = try await link(of: identity.providerID, uid: current.user.uid), !link.showsUser(now: platform.now)
            {
                throw .refused(.linkNotProved(providerID: identity.providerID, isOfNobody: link.isOfNobody))
            }
            if intent == .reauthenticate, let current {
                let isRecent = platform.signIns.recency
                try AccountFailure.wrapping(
                    rule: current.requireSeen(in: completed.proof, of: identity.providerID, isPage: asked != .now, isRecent: isRecent))
            }
            if intent == .link, let current {
                guard current.user.identity(at: identity.providerID) == nil else {
                    throw .refused(.providerAlreadyLinked(providerID: identity.providerID))
                }
            }
            let answer: FirebaseSignIn
            if intent == .link, let current {
                answer = try await recordingLink(of: identity.providerID, to: current) { () async throws(AccountFailure) in
                    let answer = try await self.ask(as: current) { $0.signIn(with: completed, linkedTo: $1) }
                    return try AccountFailure.wrapping(project: FirebaseSignIn(answer, now: platform.now))
                }
            } else {
                let reply = try await ask { $0.signIn(with: completed, createsUser: intent != .reauthenticate) }
                answer = try AccountFailure.wrapping(project: FirebaseSignIn(reply, now: platform.now))
            }
            switch answer {
            case .signedIn(let signedIn):
                let provisional = User(provisional: signedIn, identity: identity, beside: current?.user, now: platform.now)
                return .admitted(
                    try await admit(
                        signedIn.tokens, isNewUser: signedIn.isNewUser, app: app, intent: intent, current: current,
                        proof: completed.proof, providerID: identity.providerID, asked: asked, provisional: provisional))
            case .secondFactor(let pending):
                return .refused(.secondFactorRequired(uid: try remember(pending), hints: pending.hints), completed)
            case .confirmationNeeded(let email, let providerIDs, let oauth):
                // The project does not list passwords and phones; without any other provider it is a password.
                let owners = providerIDs.isEmpty ? [User.passwordProviderID] : providerIDs
                let address = EmailAddress.lowercased(email ?? identity.email ?? "")
                return .refused(.accountExists(email: address, providerIDs: owners), completed.updated(with: oauth))
            case .alreadyLinked(let email, let oauth):
                return .refused(.credentialAlreadyInUse(email: email ?? identity.email), completed.updated(with: oauth))
            }
        } catch {
            switch error {
            case .refused(let refusal, _): return .refused(refusal, completed)
            case .firebase(let refusal): return .refused(Self.refusal(refusal, intent: intent, identity: identity), completed)
            default: throw error
            }
        }
    }

    /// The sign-in that a link or a reauthentication continues; nil for a new sign-in.
    func current(for intent: Intent, app: AppName) async throws(AccountFailure) -> FirebaseSession? {
        switch intent {
        case .signIn, .credential: nil
        case .link: try await ready(app)
        case .reauthenticate: try await signedIn(app)
        }
    }

    private static func refusal(_ refusal: FirebaseRefusal, intent: Intent, identity: Identity) -> AccountRefusal {
        switch refusal.code {
        // Somebody whom the project does not know is not the current user.
        case .userNotFound where intent == .reauthenticate: .userMismatch
        case .emailAlreadyInUse: .emailAlreadyInUse(email: identity.email.map(EmailAddress.lowercased) ?? "")
        default: .firebase(refusal)
        }
    }
}
