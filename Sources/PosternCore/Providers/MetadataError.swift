import StrictJSON

/// Why a provider's metadata is rejected.
public enum MetadataError: DiscoveryFailure, Hashable, CustomStringConvertible {
    /// The configured issuer is not a URL that discovery could start from.
    case issuerInvalid(EndpointURLError)
    case issuerHasQuery
    case transient(TransientFailure)
    case refused(status: Int)
    /// A redirect to another origin, or one too many.
    case redirected
    case tooLarge(limit: Int)
    case notJSON(AnswerBodyFlaw)
    case notAnObject(found: String)
    case member(JSONMemberError)
    /// Discovery section 4.3: equal byte for byte. `found` is cleaned for display.
    case issuerMismatch(expected: String, found: String)
    case endpointInvalid(member: String, EndpointURLError)

    /// The failure of a sign-in that cannot begin because of it.
    ///
    /// - Parameter name: the provider's, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        let message = "\(name): \(self)"
        if case .transient = self { return .unreachable(message: message) }
        return .providerNotConfigured(message: message)
    }

    public var description: String {
        switch self {
        case .issuerInvalid(let error): "the issuer \(error)"
        case .issuerHasQuery: "the issuer has a query (?…), which is not allowed"
        case .transient(let failure): "the provider's metadata could not be read: \(failure)"
        case .refused(let status): "the provider answered the request for its metadata with status \(status); check the issuer"
        case .redirected: "the provider redirects the request for its metadata elsewhere, which is not followed; check the issuer"
        case .tooLarge(let limit): "the provider's metadata are larger than \(limit) bytes"
        case .notJSON(let error): "the provider's metadata are \(error)"
        case .notAnObject(let found): "the provider's metadata must be an object, but are \(found)"
        case .member(let error): "in the provider's metadata \(error)"
        case .issuerMismatch(let expected, let found):
            "the provider calls itself \(found), but the configured issuer is \(expected); the two must be identical"
        case .endpointInvalid(let member, let error): "in the provider's metadata \(member) \(error)"
        }
    }
}
