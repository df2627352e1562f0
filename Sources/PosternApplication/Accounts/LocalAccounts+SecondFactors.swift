import PosternCore

/// Second factors of the app's user: enrolling, confirming, removing.
extension LocalAccounts {
    func enroll(
        _ kind: SecondFactor.Kind, phoneNumber: String?, displayName: String?, app: AppName
    ) async throws(AccountFailure) -> Enrollment {
        let number: PhoneNumber?
        switch kind {
        case .totp: number = nil
        case .phone:
            try phone.check()
            number = try Self.number(phoneNumber)
        }
        let now = platform.now
        let factor = SecondFactor(
            kind: kind, uid: try platform.newUID(), displayName: displayName,
            phoneNumber: number?.text, enrolledAt: now)
        let secret = kind == .totp ? Secret(try platform.accountBytes(OneTimePassword.secretLength)) : nil
        let message = try number.map { number throws(AccountFailure) in
            try PhoneMessage(to: number, factor: factor.uid, now: now, platform: platform)
        }
        let id = try challengeID()
        let isRecent = platform.signIns.recency
        let current = try await store.forAccounts.change { accounts throws(AccountFailure) in
            let current = try AccountRules.recent(try accounts.current(app: app), isRecent: isRecent)
            try AccountRules.mayEnroll(kind, number: number, for: current.user)
            var changes = AccountChanges()
            changes.upsertChallenge = CodeChallenge(
                id: id, uid: current.user.uid, generation: current.user.generation, app: app, purpose: .enrolment(factor, secret: secret),
                expiresAt: now.adding(seconds: CodeChallenge.lifetimeSeconds), sent: message?.kept)
            if let message { changes.attempts = try message.counted(accounts) }
            return (current.user, changes)
        }
        if let message {
            try await phone.send(message.code, to: message.number, issuer: issuer)
            return Enrollment(id: id)
        }
        guard let secret else { throw .internal(message: "the second factor has no secret; try again") }
        let account = current.email ?? current.displayName ?? current.uid
        return Enrollment(
            id: id, secret: Secret(secret.withBytes { Base32.encode($0) }),
            provisioningURI: Secret(OneTimePassword.standard.provisioningURI(secret: secret, issuer: issuer, account: account)))
    }

    func confirm(enrollmentID: String, code: String, app: AppName) async throws(AccountFailure) -> User {
        let (now, cryptography) = (platform.now, platform.cryptography)
        let code = Self.code(code)
        let user = try await judge { accounts throws(AccountFailure) in
            guard let current = try accounts.current(app: app) else { throw .refused(.noCurrentUser) }
            guard let challenge = try accounts.challenge(enrollmentID, now: now), challenge.app == app,
                challenge.stillHolds(for: current.user), case .enrolment(var factor, let secret) = challenge.purpose
            else { throw .secondFactor(.noEnrolment) }
            let request = CodeCheck(
                code: code, challenge: challenge, factor: factor, key: secret.map { FactorKey(secret: $0) },
                attempts: try accounts.attempts(of: challenge.attempts), now: now)
            return try request.answered(cryptography: cryptography) { step throws(AccountFailure) in
                factor.enrolledAt = now
                let decision = try AccountRules.enrolled(factor, secret: secret, step: step, by: current)
                return (decision.user, decision.changes)
            }
        }
        events.report(.userChanged, "a second factor was enrolled", uid: user.uid, app: app)
        return user
    }

    func removeSecondFactor(uid: String, app: AppName) async throws(AccountFailure) -> User {
        let isRecent = platform.signIns.recency
        let user = try await store.decide { accounts throws(AccountFailure) in
            try AccountRules.removeSecondFactor(uid, of: try accounts.current(app: app), isRecent: isRecent)
        }.user
        events.report(.userChanged, "a second factor was removed", uid: user.uid, app: app)
        return user
    }

    private static func number(_ text: String?) throws(AccountFailure) -> PhoneNumber {
        guard let text, let number = PhoneNumber(text) else { throw .secondFactor(.invalidPhoneNumber) }
        return number
    }
}

// MARK: What all of them need

extension LocalAccounts {
    /// 256 random bits.
    func challengeID() throws(AccountFailure) -> Secret { try platform.accountToken() }

    /// People type codes in groups, as authenticator apps display them.
    static func code(_ text: String) -> Secret { Secret(text.utf8.filter { $0 != UInt8(ascii: " ") }) }

    /// One transaction, in which a refusal is recorded too: wrong codes are counted.
    func judge<Value: Sendable>(
        _ deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (Result<Value, AccountFailure>, AccountChanges)
    ) async throws(AccountFailure) -> Value {
        try await store.forAccounts.change(deciding: deciding).get()
    }
}

extension CodeCheck {
    /// What is done once the code is right. The code is used up even if nothing can be done with it any more.
    func answered<Value>(
        cryptography: any Cryptography, _ decision: (_ step: Int64?) throws(AccountFailure) -> (Value, AccountChanges)
    ) throws(AccountFailure) -> (Result<Value, AccountFailure>, AccountChanges) {
        let (verdict, changes) = verdict(cryptography: cryptography)
        switch verdict {
        case .refused(let refusal): return (.failure(.secondFactor(refusal)), changes)
        case .right(let step):
            do throws(AccountFailure) {
                var (value, whole) = try decision(step)
                whole.addCode(changes)
                return (.success(value), whole)
            } catch {
                switch error {
                case .secondFactor, .refused: return (.failure(error), changes)
                default: throw error
                }
            }
        }
    }
}

extension AccountChanges {
    /// What a correct code uses up.
    fileprivate mutating func addCode(_ changes: AccountChanges) {
        deleteChallenge = changes.deleteChallenge
        attempts.merge(changes.attempts) { _, new in new }
        usedSteps.merge(changes.usedSteps) { _, new in new }
    }
}
