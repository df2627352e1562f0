/// For which addresses a provider is the authority: a user who signs in there is certainly the person who reads the mail.
public enum EmailTrust: Sendable, Hashable {
    case nobody
    case all
    case domains([String])
    /// Those domains; and any address that the provider has verified, if this claim says that it hosts the account's domain.
    case hosting([String], claim: String)
}

extension Provider {
    /// The provider is the authority for the profile's address, and does not itself call it unverified.
    ///
    /// Only then may the address find an account that another provider created.
    public func vouches(for profile: ProviderProfile) -> Bool {
        isAuthority(for: profile) && profile.identity.emailVerified != false
    }

    /// Whether the address in a profile may identify the user, for example to find an account that another provider created.
    ///
    /// It is not enough that a provider has verified an address: it did so once, and the address may be another person's today.
    public func isAuthority(for profile: ProviderProfile) -> Bool {
        guard let email = profile.identity.email, let at = email.unicodeScalars.lastIndex(of: "@") else { return false }
        let domain = EmailAddress.lowercased(email.after(at))
        switch emailTrust {
        case .nobody: return false
        case .all: return true
        case .domains(let domains): return domains.contains(domain)
        case .hosting(let domains, let claim):
            if domains.contains(domain) { return true }
            return profile.identity.emailVerified == true && profile.document[claim]?.stringValue?.isEmpty == false
        }
    }
}
