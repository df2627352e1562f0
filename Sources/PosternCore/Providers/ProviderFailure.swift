/// Why a request to a provider, or its answer, came to nothing.
public struct ProviderFailure: Error, Sendable, Hashable {
    /// The words are the store's. What follows from each is its ``row``.
    public enum Reason: String, Sendable, CaseIterable {
        /// The authorization endpoint answered with an error (RFC 6749 section 4.1.2.1): the user, or the provider for the user, declined,
        /// or something went wrong there.
        case denied
        /// The provider refused the code, or its answer makes no sense.
        case exchangeFailed
        /// The answer is not from the provider that was asked (RFC 9207): the sign-in was stopped, and nothing was sent.
        case foreignAnswer
        /// A network error, 429 or 5xx: nothing was refused, and a later attempt may succeed.
        case unreachable
        case invalidIDToken
        case providerNotConfigured
        /// The provider does not know the scope, or grants it to nobody with this client.
        case scopeRejected
        /// The provider refused the request itself, before the user was asked: it knows this client, but not to do that.
        case requestRejected
        /// A token that a program brought does not prove who somebody is.
        case tokenRejected
        /// What the request needs, or brought, could not be read or written.
        case storeUnavailable
        /// Nothing is wrong with the store, but it cannot be used: it was locked.
        case storeLocked
        /// An error of our own, kept separate so that it is noticed.
        case `internal`
    }

    /// How far the request got.
    public enum Progress: Sendable {
        /// Not one byte of it was written to a connection.
        case notSent
        /// The provider may have it, but there was no answer, which may have contained a new refresh token.
        case unanswered
        case answered
    }

    public var reason: Reason
    /// The provider's own code, and its words for it.
    public var error: String?
    public var errorDescription: String?
    /// Our sentence; for ``Reason/denied`` what the provider says.
    public var message: String
    /// Unless ``after(_:retryAfterSeconds:)`` says it, what the reason implies, and with doubt the worse.
    public var progress: Progress
    /// How long the provider wants not to be asked; nil if it does not say.
    public var retryAfterSeconds: Int64?
    /// The request was for a restricted token, and the provider refuses only that.
    public var isAboutRestriction = false
    /// The renewal before this one may have reached the provider, but got no answer.
    public var followsLostAnswer = false
    /// The provider was not asked again, and will not be for this many seconds; nil if it was asked just now.
    public var pauseSeconds: Int64?

    public init(_ reason: Reason, error: String? = nil, description: String? = nil, message: String) {
        self.reason = reason
        self.error = error
        errorDescription = description
        self.message = message
        progress = reason.row.progress
    }
}

extension ProviderFailure.Reason {
    /// What follows from a reason, besides its texts.
    public struct Row: Sendable {
        public var error: ProviderFailure.ErrorName
        public var page: ProviderFailure.Page
        /// How far the request got, if nobody says: a failure may also be that of another request, which had to come before it.
        public var progress: ProviderFailure.Progress
        /// The provider's code is always known, and a user is shown it with the provider's words: without it nobody knows what to report.
        public var hasCode = false
        /// The code of a refusal whose own is not kept.
        public var usualCode: String?
    }

    public var row: Row {
        switch self {
        case .denied: Row(error: .signInDenied, page: .denied, progress: .answered, hasCode: true)
        case .exchangeFailed: Row(error: .exchangeFailed, page: .exchangeFailed, progress: .answered)
        case .foreignAnswer: Row(error: .exchangeFailed, page: .foreignAnswer, progress: .notSent)
        case .unreachable: Row(error: .providerUnreachable, page: .unreachable, progress: .unanswered)
        case .invalidIDToken: Row(error: .invalidIDToken, page: .invalidIDToken, progress: .answered)
        case .providerNotConfigured: Row(error: .providerNotConfigured, page: .notConfigured, progress: .notSent)
        case .scopeRejected: Row(error: .providerNotConfigured, page: .scopeRejected, progress: .answered, usualCode: "invalid_scope")
        case .requestRejected: Row(error: .providerNotConfigured, page: .exchangeFailed, progress: .answered, hasCode: true)
        case .tokenRejected: Row(error: .invalidCredential, page: .internal, progress: .answered)
        case .storeUnavailable: Row(error: .storeDamaged, page: .storeProblem, progress: .notSent)
        case .storeLocked: Row(error: .storeLocked, page: .storeProblem, progress: .notSent)
        case .internal: Row(error: .internalError, page: .internal, progress: .notSent)
        }
    }
}

extension ProviderFailure {
    /// The errors of the interface that these failures become.
    public enum ErrorName: Sendable {
        case signInDenied, exchangeFailed, providerUnreachable, invalidIDToken, providerNotConfigured, invalidCredential, storeDamaged
        case storeLocked, internalError
    }

    /// What the browser shows, as far as the user can do something about it.
    public enum Page: String, Sendable, CaseIterable {
        /// The user, or the provider for them, declined.
        case denied
        /// The provider refused the code.
        case exchangeFailed
        /// The answer was from another provider than the one that was asked; Postern stopped.
        case foreignAnswer
        /// The network or the provider is down.
        case unreachable
        /// The provider's proof of who signed in is invalid.
        case invalidIDToken
        case notConfigured
        /// The provider does not accept a requested scope.
        case scopeRejected
        /// The result could not be stored.
        case storeProblem
        case `internal`

        /// Something is wrong; the others are somebody's decision, and no cause for alarm.
        public var isMishap: Bool { self != .denied }
    }

    public static func denied(error: String, description: String?) -> ProviderFailure {
        ProviderFailure(.denied, error: error, description: description, message: description.map { "\(error): \($0)" } ?? error)
    }

    public static func exchangeFailed(error: String?, description: String?, message: String) -> ProviderFailure {
        ProviderFailure(.exchangeFailed, error: error, description: description, message: message)
    }

    public static func requestRejected(error: String, description: String?, message: String) -> ProviderFailure {
        ProviderFailure(.requestRejected, error: error, description: description, message: message)
    }

    public static func foreignAnswer(message: String) -> ProviderFailure { ProviderFailure(.foreignAnswer, message: message) }
    public static func unreachable(message: String) -> ProviderFailure { ProviderFailure(.unreachable, message: message) }
    public static func invalidIDToken(reason: String) -> ProviderFailure { ProviderFailure(.invalidIDToken, message: reason) }
    public static func providerNotConfigured(message: String) -> ProviderFailure {
        ProviderFailure(.providerNotConfigured, message: message)
    }
    public static func scopeRejected(message: String) -> ProviderFailure { ProviderFailure(.scopeRejected, message: message) }
    public static func storeUnavailable(message: String) -> ProviderFailure { ProviderFailure(.storeUnavailable, message: message) }
    public static func storeLocked(message: String) -> ProviderFailure { ProviderFailure(.storeLocked, message: message) }
    public static func `internal`(message: String) -> ProviderFailure { ProviderFailure(.internal, message: message) }

    /// The same, where it is known how far its request got. Without `retryAfterSeconds`, how long the provider wants not to be asked stays.
    public func after(_ progress: Progress, retryAfterSeconds: Int64? = nil) -> ProviderFailure {
        var failure = self
        failure.progress = progress
        failure.retryAfterSeconds = retryAfterSeconds ?? self.retryAfterSeconds
        return failure
    }

    /// The refresh token was checked and refused.
    public var isFinal: Bool { progress == .answered && reason == .denied }

    /// The provider's own message, for the person; nil if it gave none.
    ///
    /// - Parameter wasDeclined: somebody said no.
    public func providerMessage(wasDeclined: Bool) -> String? {
        guard reason.row.hasCode, !wasDeclined, let error else { return errorDescription }
        return errorDescription.map { "\(error): \($0)" } ?? error
    }
}

extension ProviderFailure: CustomStringConvertible {
    /// For the log, and within another sentence.
    public var description: String { message }
}
