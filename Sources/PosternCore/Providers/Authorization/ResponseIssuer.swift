/// The rule for `iss` in an authorization response, which prevents one provider's callback from being taken for another's (RFC 9207).
public struct ResponseIssuer: Sendable, Hashable {
    /// The issuer of the provider that was asked; nil if it has none, so that there is nothing to compare.
    public var expected: String?
    /// The provider announces that it always sends one.
    public var isRequired: Bool

    public enum Verdict: Sendable, Hashable {
        case accepted
        case missing
        case mismatch
    }

    /// Compares as a simple string (section 2.4), in success and error responses alike, before either is trusted.
    public func verdict(on iss: String?) -> Verdict {
        guard let iss else { return isRequired && expected != nil ? .missing : .accepted }
        guard let expected else { return .accepted }
        return iss.utf8.elementsEqual(expected.utf8) ? .accepted : .mismatch
    }
}

extension ResponseIssuer.Verdict {
    /// Why the callback is rejected; nil if it is accepted.
    public var reason: String? {
        switch self {
        case .accepted: nil
        case .missing:
            "Postern stopped the sign-in: the callback does not say which provider it is from (iss), although this provider announces that "
                + "it does; nothing was sent"
        case .mismatch:
            "Postern stopped the sign-in: the callback is from another provider than the one that was asked (iss differs); nothing was sent"
        }
    }
}
