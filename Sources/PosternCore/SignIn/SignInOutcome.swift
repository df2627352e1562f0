/// How a sign-in ended.
public enum SignInOutcome: Sendable, Equatable {
    case completed(CompletedSignIn)
    /// The account is stored for the person. Without secrets: there is nothing to hand out.
    case kept(CompletedSignIn)
    /// The provider issued a credential, but the account rules forbid what was asked for.
    case refused(AccountRefusal, CompletedSignIn)
    case failed(SignInFailure)
}

extension SignInOutcome {
    /// Whether there is something to be delivered, once.
    public var hasCredential: Bool { if case .failed = self { false } else { true } }

    public var isSuccess: Bool {
        switch self {
        case .completed, .kept: true
        case .refused, .failed: false
        }
    }
}

extension SignInOutcome {
    /// What the result page still needs after the result was delivered: who signed in, and to what.
    public var withoutSecrets: SignInOutcome {
        switch self {
        case .completed(let completed): .completed(completed.withoutSecrets)
        case .refused(let refusal, let completed): .refused(refusal, completed.withoutSecrets)
        case .kept, .failed: self
        }
    }
}

extension SignInOutcome {
    /// What the page asks the user about linked accounts.
    public var review: LinkReview? { if case .completed(let completed) = self { completed.review } else { nil } }
}

// MARK: Whose it is

extension SignInOutcome {
    /// What a program can still use: a credential without a user, or one that could not be added to a user.
    public var credentialToHandOut: CompletedSignIn? {
        switch self {
        case .completed(let completed): completed.user == nil ? completed : nil
        case .refused(let refusal, let completed): refusal.offersCredential ? completed : nil
        case .kept, .failed: nil
        }
    }

    /// Whether it ended with this user, or with an account of theirs.
    public func isOf(_ user: User) -> Bool {
        switch self {
        case .completed(let completed), .refused(_, let completed): completed.isOf(user)
        // It is the person's, whichever user of an app has the account, too.
        case .kept, .failed: false
        }
    }
}
