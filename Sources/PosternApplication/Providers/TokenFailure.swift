import PosternCore

/// Why a program gets no token.
enum TokenFailure: Error {
    case provider(ProviderUnavailable)
    case nobodySignedIn
    /// No credential of this account is stored.
    case unknownAccount(subject: String)
    /// Several credentials are stored, and the program has not said which one it wants.
    case ambiguousAccount([StoredCredential])
    /// No stored credential has this name, and no configured account does.
    case noSuchAccount(String, among: [StoredCredential])
    /// The provider's name was given to another provider after the credential was issued.
    case providerChanged
    case signInRequired(SignInRequirement)
    case scopeNotGranted(missing: [String])
    /// The credential never had an ID token.
    case noIDToken
    /// A token for one service was requested, from a provider that has none.
    case noTokensForResources
    /// A token for another service than the MCP server whose account it is.
    case otherResource(String, server: String)
    /// It is bound to a key (RFC 9449), and not handed out bare.
    case boundToKey
    case notRenewed(ProviderFailure)
    /// The provider is not asked now.
    case tooMany(TooManyTokens)
    /// The provider gave a token, but it is not on disk yet.
    case notSaved(StoreError)
    /// The credential was revoked while it was being renewed.
    case takenBack
    /// The store was closed, or is being locked: no new requests are made.
    case storeClosed(StoreError)
    /// The daemon is ending, with the same effect.
    case ending
}

extension TokenVerdict {
    var result: Result<StoredCredential, TokenFailure> {
        switch self {
        case .token(let credential): .success(credential)
        case .signInRequired(let requirement): .failure(.signInRequired(requirement))
        case .scopeNotGranted(let missing): .failure(.scopeNotGranted(missing: missing))
        case .noIDToken: .failure(.noIDToken)
        case .failed(let failure): .failure(.notRenewed(failure))
        case .tooMany(let reason): .failure(.tooMany(reason))
        case .notSaved(let problem): .failure(.notSaved(problem))
        case .takenBack: .failure(.takenBack)
        }
    }
}
