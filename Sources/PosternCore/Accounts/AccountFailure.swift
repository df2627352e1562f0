/// Why an operation on accounts fails: the only error of the rules' callers, the store's transactions and the accounts themselves. Nothing
/// has changed then, except counts of attempts.
public enum AccountFailure: Error, Sendable, Hashable {
    /// The rules forbid it.
    ///
    /// - Parameter app: the app whose user it is about; nil for the app that asked.
    case refused(AccountRefusal, app: AppName? = nil)
    case password(PasswordRefusal)
    case secondFactor(SecondFactorRefusal)
    /// A Firebase project has the accounts, and refuses.
    case firebase(FirebaseRefusal)
    /// A password was right, and a second factor is required.
    case secondFactorNeeded(SecondFactorDemand)
    /// The ID token that a program presents was used for a sign-in before, or is about to be.
    case tokenSpent
    /// So many ID tokens were presented that no more can be remembered.
    case tooManyTokens(retryAfterSeconds: Int64)
    /// The system that has the accounts issues no ID tokens for this audience.
    case audienceRefused
    case store(StoreError)
    case randomness(RandomnessFailure)
    case passwordDerivation(PasswordDerivationFailure)
    /// An error of our own, or a damaged store; kept separate so that it is noticed.
    case `internal`(message: String)
}

/// What is required besides a password.
public struct SecondFactorDemand: Sendable, Hashable {
    public var uid: String
    /// The user's second factors.
    public var hints: [SecondFactor]
    /// ``User/generation`` when the password was right; 0 where a project has the users.
    public var generation: Int64
    public var intent: Intent
    public var app: AppName

    public init(uid: String, hints: [SecondFactor], generation: Int64 = 0, intent: Intent, app: AppName) {
        self.uid = uid
        self.hints = hints
        self.generation = generation
        self.intent = intent
        self.app = app
    }
}

extension AccountFailure {
    /// The project's refusal; nil if it is about something else.
    public var firebase: FirebaseRefusal? { if case .firebase(let refusal) = self { refusal } else { nil } }
}

// Converts others' errors to this one. The labels say whose failure it is: the compiler does not distinguish functions by what their
// arguments throw.
extension AccountFailure {
    public static func wrapping<Value>(rule: @autoclosure () throws(AccountRefusal) -> Value) throws(AccountFailure) -> Value {
        do throws(AccountRefusal) { return try rule() } catch { throw .refused(error) }
    }

    public static func wrapping<Value>(store: @autoclosure () throws(StoreError) -> Value) throws(AccountFailure) -> Value {
        do throws(StoreError) { return try store() } catch { throw .store(error) }
    }

    public static func wrapping<Value>(project: @autoclosure () throws(FirebaseRefusal) -> Value) throws(AccountFailure) -> Value {
        do throws(FirebaseRefusal) { return try project() } catch { throw .firebase(error) }
    }

    public static func wrapping<Value>(randomness: @autoclosure () throws(RandomnessFailure) -> Value) throws(AccountFailure) -> Value {
        do throws(RandomnessFailure) { return try randomness() } catch { throw .randomness(error) }
    }
}
