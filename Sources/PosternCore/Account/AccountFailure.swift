/// Why something about the accounts is not done: the one error of the rules' callers, the store's transactions and the accounts
/// themselves. Nothing has changed then but what is counted.
public enum AccountFailure: Error, Sendable, Hashable {
    /// The rules say no.
    ///
    /// - Parameter app: whose user it is about; nil for the app that asked.
    case refused(AccountRefusal, app: String? = nil)
    case password(PasswordRefusal)
    case secondFactor(SecondFactorRefusal)
    /// A Firebase project has the accounts, and does not do it.
    case firebase(FirebaseRefusal)
    /// A password was right, and a second factor is required.
    case secondFactorNeeded(SecondFactorDemand)
    /// An ID token that a program shows signed somebody in before, or is about to.
    case tokenSpent
    /// So many ID tokens were shown that no more can be told apart.
    case tooManyTokens(retryAfterSeconds: Int64)
    /// Who has the accounts makes no ID tokens for this audience.
    case audienceRefused
    case store(StoreError)
    case randomness(RandomnessFailure)
    case passwordDerivation(PasswordDerivationFailure)
    /// Our own mistake, or a store that is not what was written; told apart so that it is seen.
    case `internal`(message: String)
}

/// What is asked for beside a password.
public struct SecondFactorDemand: Sendable, Hashable {
    public var uid: String
    /// Those that the user has.
    public var hints: [SecondFactor]
    public var intent: Intent
    public var app: String

    public init(uid: String, hints: [SecondFactor], intent: Intent, app: String) {
        self.uid = uid
        self.hints = hints
        self.intent = intent
        self.app = app
    }
}

extension AccountFailure {
    /// What the project said; nil if it is about something else.
    public var firebase: FirebaseRefusal? { if case .firebase(let refusal) = self { refusal } else { nil } }
}

// What others throw, as this. The labels say whose failure it is: the compiler does not tell functions apart by what their arguments
// throw.
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
