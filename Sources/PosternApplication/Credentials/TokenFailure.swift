import PosternCore

/// Why a program gets no token.
enum TokenFailure: Error {
    case provider(ProviderFailure)
    case nobodySignedIn
    /// No credential of this account is kept.
    case unknownAccount(subject: String)
    /// Several credentials are kept, and the program has not said whose it wants.
    case ambiguousAccount([StoredCredential])
    /// None of those that are kept is called so, and no configured one is.
    case noSuchAccount(String, among: [StoredCredential])
    /// The provider's name was given to another one since the credential came.
    case providerChanged
    case signInRequired(SignInRequirement)
    case scopeNotGranted(missing: [String])
    /// The credential never had an ID token.
    case noIDToken
    /// A token for one service was asked for, of a provider that gives none.
    case noTokensForResources
    /// It is bound to a key (RFC 9449), and not handed out bare.
    case boundToKey
    case notRenewed(ToldFailure)
    /// The provider gave a token, and it is not on disk yet.
    case notSaved(StoreError)
    /// The credential was revoked while it was being renewed.
    case takenBack
}

extension TokenVerdict {
    var result: Result<StoredCredential, TokenFailure> {
        switch self {
        case .token(let credential): .success(credential)
        case .signInRequired(let requirement): .failure(.signInRequired(requirement))
        case .scopeNotGranted(let missing): .failure(.scopeNotGranted(missing: missing))
        case .noIDToken: .failure(.noIDToken)
        case .failed(let failure): .failure(.notRenewed(failure))
        case .notSaved(let problem): .failure(.notSaved(problem))
        case .takenBack: .failure(.takenBack)
        }
    }
}
