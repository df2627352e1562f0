/// From the user's answer to what the provider issued for it.
extension SignInMachine {
    // MARK: The answer

    /// A callback whose state, or request token, is this sign-in's.
    mutating func callbackArrived(_ callback: SignInCallback, now: Timestamp) -> CallbackVerdict {
        guard session.awaits(answerAt: callback.place) else { return .notRecognised }
        switch state {
        case .pending(let pending):
            guard expiresAt > now, pending.secrets.know(callback.parameters.requestToken) else { return .notRecognised }
            let actions = take(.callback(callback.parameters), secrets: pending.secrets, digest: callback.digest)
            return .taken(session, [.note(session, .callbackReceived)] + actions)
        case .exchanging(let exchanging): return again(callback, taken: exchanging.digest)
        case .keeping(let digest): return again(callback, taken: digest)
        case .ended(let ended):
            // A sign-in that ended before any callback (cancelled, timed out) used no state, and has no result to repeat.
            if phase == .failed, ended.digest == nil { return .notRecognised }
            return again(callback, taken: ended.digest)
        // Nobody was given its page, or nobody knows of it.
        case .preparing, .over: return .notRecognised
        }
    }

    /// After a restart the digest is gone; the page contains no secret, so showing it again is harmless.
    private func again(_ callback: SignInCallback, taken: [UInt8]?) -> CallbackVerdict {
        if let taken, taken != callback.digest { .notRecognised } else { .repeated(session) }
    }

    /// The first answer uses up all states and all other flows: any later answer is too late.
    mutating func take(_ answer: ProviderAnswer, secrets: FlowSecrets, digest: [UInt8]?) -> [SignInAction] {
        state = .exchanging(Exchanging(digest: digest, step: .marking(answer, secrets)))
        return [.write(ticket, .exchanging)]
    }

    // MARK: The exchange

    /// The beginning of the exchange is on disk.
    ///
    /// - Parameter failure: it is not, and no code was sent.
    public mutating func exchangingMarked(failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        guard case .exchanging(let exchanging) = state, case .marking(let answer, let secrets) = exchanging.step else { return [] }
        if let failure { return fail(.provider(failure), now: now) }
        state = .exchanging(Exchanging(digest: exchanging.digest, step: .underWay))
        return tellAll() + [.exchange(ticket, answer, secrets)]
    }

    /// The provider's answer passed every check.
    public mutating func exchanged(_ completed: CompletedSignIn, now: Timestamp) -> [SignInAction] {
        guard case .exchanging(let exchanging) = state, case .underWay = exchanging.step else { return [.discard(completed, session)] }
        state = .keeping(digest: exchanging.digest)
        let isAbandoned = exchanging.digest == nil && waiters.isEmpty
        let end = now.adding(seconds: SignIns.retentionSeconds)
        return [.keep(ticket, completed, expiresAt: end, isAbandoned: isAbandoned)]
    }

    public mutating func exchangeFailed(_ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        guard case .exchanging = state else { return [] }
        return fail(.provider(failure), now: now)
    }
}

/// A redirect that came back, by HTTP or handed over.
public struct SignInCallback: Sendable {
    /// Where it arrived, as ``SignInSession/awaits(answerAt:)`` takes it.
    public let place: String
    public let parameters: CallbackParameters
    /// What identifies its sign-in (``CallbackKey``).
    public let key: [UInt8]
    /// Equal for equal answers, whatever the order of their parameters.
    public let digest: [UInt8]
}

extension SignInCallback {
    /// - Returns: nil without a state, or what replaces it.
    public init?(_ parameters: CallbackParameters, at place: String, cryptography: any Cryptography) {
        guard let key = CallbackKey.hash(of: parameters, cryptography: cryptography) else { return nil }
        let names = ["state", "code", "iss", "error", "error_description", "oauth_token", "oauth_verifier", "denied", "oauth_problem"]
        let parts = names.flatMap { cryptography.sha256(parameters[$0]?.revealBytes() ?? []) }
        self.init(place: place, parameters: parameters, key: key, digest: cryptography.sha256(parts))
    }
}

public enum CallbackVerdict: Sendable, Equatable {
    /// No sign-in that waits has this state. Nothing was changed.
    case notRecognised
    /// The same callback came before: its result is shown again.
    case repeated(SignInSession)
    /// The states are used up; the callback is answered when that is on disk.
    case taken(SignInSession, [SignInAction])
}
