/// Is a given code right?
public struct CodeCheck: Sendable {
    public var code: Secret
    public var challenge: CodeChallenge
    public var factor: SecondFactor
    /// Of an authenticator program.
    public var key: FactorKey?
    /// The user's recent wrong codes.
    public var attempts: Attempts?
    public var now: Timestamp

    public init(
        code: Secret, challenge: CodeChallenge, factor: SecondFactor, key: FactorKey?, attempts: Attempts?, now: Timestamp
    ) {
        self.code = code
        self.challenge = challenge
        self.factor = factor
        self.key = key
        self.attempts = attempts
        self.now = now
    }

    public enum Verdict: Sendable, Equatable {
        /// A step of a one-time password is used up, with all before it.
        case right(step: Int64?)
        case refused(SecondFactorRefusal)
    }

    /// - Returns: with the verdict, what to write: the challenge is used up, or counts one more wrong code.
    public func verdict(cryptography: any Cryptography) -> (Verdict, AccountChanges) {
        // Before anything is compared: among too many guesses a right code is a guess as well.
        if let seconds = AttemptLimit.wrongCodes.wait(after: attempts, now: now) {
            return (.refused(.tooManyWrongCodes(seconds: seconds)), AccountChanges())
        }
        switch factor.kind {
        case .totp:
            guard let key else { return (.refused(.noSuchFactor), AccountChanges()) }
            let step = OneTimePassword.standard.step(
                of: code, secret: key.secret, now: now, lastUsed: key.lastStep, cryptography: cryptography)
            return step.map(right) ?? wrong()
        case .phone:
            guard let sent = challenge.sent, sent.factor == factor.uid else { return (.refused(.codeNotSent), AccountChanges()) }
            guard now < sent.expiresAt else { return (.refused(.codeExpired), AccountChanges()) }
            return sent.matches(code, cryptography: cryptography) ? right(step: nil) : wrong()
        }
    }

    private func right(step: Int64?) -> (Verdict, AccountChanges) {
        var changes = AccountChanges()
        changes.deleteChallenge = challenge.id
        changes.attempts = [challenge.attempts: Attempts(count: 0, since: now)]
        if let step { changes.usedSteps = [factor.uid: step] }
        return (.right(step: step), changes)
    }

    private func wrong() -> (Verdict, AccountChanges) {
        var challenge = challenge
        challenge.wrongCodes += 1
        let counted = AttemptLimit.wrongCodes.adding(to: attempts, now: now)
        var changes = AccountChanges()
        changes.attempts = [challenge.attempts: counted]
        guard challenge.wrongCodes < CodeChallenge.tries else {
            changes.deleteChallenge = challenge.id
            return (.refused(.noTriesLeft(seconds: AttemptLimit.wrongCodes.wait(after: counted, now: now) ?? 0)), changes)
        }
        changes.upsertChallenge = challenge
        return (.refused(.wrongCode(triesLeft: CodeChallenge.tries - challenge.wrongCodes)), changes)
    }
}
