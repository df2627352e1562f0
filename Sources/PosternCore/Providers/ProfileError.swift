import StrictJSON

/// Why it is not known who signed in.
public enum ProfileError: Error, Sendable, Hashable {
    /// The provider has no userinfo endpoint and issued no ID token.
    case noSource
    case transient(TransientFailure)
    case refused(OAuthRefusal)
    case tooLarge(limit: Int)
    case notJSON(AnswerBodyFlaw)
    case notAnObject(found: String)
    case member(JSONMemberError)
    /// OpenID Connect Core section 5.3.2: the answer is about another account than the ID token.
    case subjectMismatch
    /// A signed answer that is not trusted.
    case signedAnswer(IDTokenRejection)
}

extension ProfileError: CustomStringConvertible {
    /// For a sentence that names the provider itself.
    public var description: String { sentence(of: "the provider") }

    private static let signedProfile = "the userinfo answer"

    private func sentence(of provider: String) -> String {
        switch self {
        case .noSource: "\(provider) has no userinfo-endpoint, so it is unknown who signed in; add one to the configuration"
        case .transient(let failure): "the profile could not be read: \(failure.sentence(of: provider))"
        case .refused(let refusal): "\(provider) refused to give the profile: \(refusal)"
        case .tooLarge(let limit): "the profile that \(provider) gave is larger than \(limit) bytes"
        case .notJSON(let error): "the profile that \(provider) gave is \(error)"
        case .notAnObject(let found): "the profile that \(provider) gave must be a JSON object, but is \(found)"
        case .member(let error): "in the profile that \(provider) gave \(error)"
        case .subjectMismatch: "the profile belongs to another account than the ID token (sub differs)"
        case .signedAnswer(let rejection): "the signed profile is not acceptable: \(rejection.reason(of: Self.signedProfile))"
        }
    }

    /// The failure of a sign-in whose profile cannot be obtained.
    ///
    /// - Parameter name: the provider's, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        let message = sentence(of: name)
        return switch self {
        case .noSource: .providerNotConfigured(message: message)
        case .transient: .unreachable(message: message)
        case .refused(let refusal): .exchangeFailed(error: refusal.error, description: refusal.errorDescription, message: message)
        case .subjectMismatch: .invalidIDToken(reason: message)
        case .signedAnswer(let rejection): .invalidIDToken(reason: rejection.reason(of: Self.signedProfile))
        case .tooLarge, .notJSON, .notAnObject, .member: .exchangeFailed(error: nil, description: nil, message: message)
        }
    }
}
