/// How a sign-in ended.
public enum SignInOutcome: Sendable, Equatable {
    case completed(CompletedSignIn)
    /// The provider issued a credential, but the account rules forbid what was asked for.
    case refused(AccountRefusal, CompletedSignIn)
    case failed(SignInFailure)
}

extension SignInOutcome {
    /// Whether there is something to be delivered, once.
    public var hasCredential: Bool { if case .failed = self { false } else { true } }
}

extension SignInOutcome {
    /// What the result page still needs after the result was delivered: who signed in, and to what.
    public var withoutSecrets: SignInOutcome {
        switch self {
        case .completed(let completed): .completed(completed.withoutSecrets)
        case .refused(let refusal, let completed): .refused(refusal, completed.withoutSecrets)
        case .failed: self
        }
    }
}

/// Why a sign-in did not succeed. Each case is one error of the interface.
public enum SignInFailure: Error, Sendable, Hashable {
    /// The authorization endpoint answered with an error (RFC 6749 section 4.1.2.1): the user, or the provider for the user, declined, or
    /// something went wrong there.
    case denied(error: String, description: String?)
    case timedOut
    case cancelled
    /// The app's sign-in that it was for is over, or its user's ways in changed (``PageOwner``).
    ///
    /// - Parameter isSignedOut: nobody is signed in to the app.
    case ownerEnded(isSignedOut: Bool)
    /// The provider refused the code, or its answer makes no sense.
    case exchangeFailed(error: String?, description: String?, message: String)
    /// The answer is not from the provider that was asked (RFC 9207): the sign-in was stopped, and nothing was sent.
    case foreignAnswer(message: String)
    /// A network error, 429 or 5xx: nothing was refused, and a later attempt may succeed.
    case unreachable(message: String)
    case invalidIDToken(reason: String)
    /// Another account than the requested one signed in; both as a user calls them.
    case otherAccount(asked: String, signedIn: String)
    case providerNotConfigured(message: String)
    /// The provider does not know the scope, or grants it to nobody with this client.
    case scopeRejected(message: String)
    /// The provider refused the request itself, before the user was asked: it knows this client, but not to do that.
    case requestRejected(error: String, description: String?, message: String)
    case storeUnavailable(message: String)
    /// Nothing is wrong with the store, but it cannot be used: it was locked.
    case storeLocked(message: String)
    /// An error of our own, kept separate so that it is noticed.
    case `internal`(message: String)
}

extension SignInFailure: CustomStringConvertible {
    /// For the log, and within another sentence.
    public var description: String {
        switch self {
        case .denied(let error, let description): description.map { "\(error): \($0)" } ?? error
        case .timedOut: "nobody finished it in time"
        case .cancelled: "it was cancelled"
        case .ownerEnded(let isSignedOut): isSignedOut ? "the app signed out" : "the app's user changed"
        case .exchangeFailed(_, _, let message), .foreignAnswer(let message), .unreachable(let message),
            .providerNotConfigured(let message), .scopeRejected(let message), .requestRejected(_, _, let message),
            .storeUnavailable(let message), .storeLocked(let message), .internal(let message):
            message
        case .invalidIDToken(let reason): reason
        case .otherAccount(let asked, let signedIn): "\(asked) was requested, but \(signedIn) signed in"
        }
    }
}

// MARK: Whose it is

extension SignInOutcome {
    /// What a program can still use: a credential without a user, or one that could not be added to a user.
    public var credentialToHandOut: CompletedSignIn? {
        switch self {
        case .completed(let completed): completed.user == nil ? completed : nil
        case .refused(let refusal, let completed): refusal.offersCredential ? completed : nil
        case .failed: nil
        }
    }

    /// Whether it ended with this user, or with an account of theirs.
    public func isOf(_ user: User) -> Bool {
        switch self {
        case .completed(let completed), .refused(_, let completed): completed.isOf(user)
        case .failed: false
        }
    }
}
