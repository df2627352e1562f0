/// Why a request to a provider, or its answer, came to nothing. Each becomes an error of the interface; several may
/// share one.
public enum ProviderFailure: Error, Sendable, Hashable {
    /// The authorization endpoint answered with an error (RFC 6749 section 4.1.2.1): the user, or the provider for the user, declined, or
    /// something went wrong there.
    case denied(error: String, description: String?)
    /// The provider refused the code, or its answer makes no sense.
    case exchangeFailed(error: String?, description: String?, message: String)
    /// The answer is not from the provider that was asked (RFC 9207): the sign-in was stopped, and nothing was sent.
    case foreignAnswer(message: String)
    /// A network error, 429 or 5xx: nothing was refused, and a later attempt may succeed.
    case unreachable(message: String)
    case invalidIDToken(reason: String)
    case providerNotConfigured(message: String)
    /// The provider does not know the scope, or grants it to nobody with this client.
    case scopeRejected(message: String)
    /// The provider refused the request itself, before the user was asked: it knows this client, but not to do that.
    case requestRejected(error: String, description: String?, message: String)
    /// What the request needs, or brought, could not be read or written.
    case storeUnavailable(message: String)
    /// Nothing is wrong with the store, but it cannot be used: it was locked.
    case storeLocked(message: String)
    /// An error of our own, kept separate so that it is noticed.
    case `internal`(message: String)
}

extension ProviderFailure {
    /// The failure without its texts; the words are the store's.
    public enum Kind: String, Sendable {
        case denied, exchangeFailed, foreignAnswer, unreachable, invalidIDToken, providerNotConfigured, scopeRejected, requestRejected
        case storeUnavailable, storeLocked, `internal`
    }

    public var kind: Kind {
        switch self {
        case .denied: .denied
        case .exchangeFailed: .exchangeFailed
        case .foreignAnswer: .foreignAnswer
        case .unreachable: .unreachable
        case .invalidIDToken: .invalidIDToken
        case .providerNotConfigured: .providerNotConfigured
        case .scopeRejected: .scopeRejected
        case .requestRejected: .requestRejected
        case .storeUnavailable: .storeUnavailable
        case .storeLocked: .storeLocked
        case .internal: .internal
        }
    }
}

extension ProviderFailure: CustomStringConvertible {
    /// For the log, and within another sentence.
    public var description: String {
        switch self {
        case .denied(let error, let description): description.map { "\(error): \($0)" } ?? error
        case .exchangeFailed(_, _, let message), .foreignAnswer(let message), .unreachable(let message),
            .providerNotConfigured(let message), .scopeRejected(let message), .requestRejected(_, _, let message),
            .storeUnavailable(let message), .storeLocked(let message), .internal(let message):
            message
        case .invalidIDToken(let reason): reason
        }
    }
}
