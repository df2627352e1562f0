/// How it was shown that the user was present when a credential was obtained, and when that was.
///
/// It stays with the credential wherever that goes: into a handle, a resolver, a result that waits to be fetched.
public struct CredentialProof: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A page, or a code for another device, that was begun here and whose answer arrived here.
        case flow
        /// An ID token that answers a nonce and was issued within the last minutes. It is valid once.
        case idToken
        /// A password that was right.
        case password
        /// An access token and nothing else. It says whose account it opens, but not who holds it: any program can have it, for as long as
        /// the provider accepts it.
        case accessToken
    }

    public var kind: Kind
    /// When it arrived here.
    public var moment: Timestamp

    public init(_ kind: Kind, at moment: Timestamp) {
        self.kind = kind
        self.moment = moment
    }
}

extension CredentialProof {
    /// The user was present, and nobody else can have brought it.
    public var showsPerson: Bool {
        switch kind {
        case .flow, .idToken, .password: true
        case .accessToken: false
        }
    }

    /// When the user was present.
    ///
    /// A refusal gives a new handle for the same credential, so a handle can be kept alive for hours: the time of its use does not count.
    ///
    /// - Parameters:
    ///   - withSecondFactor: a second factor was given just now, which shows the user again, though not by itself.
    ///   - before: when the same user was present before, for the same app.
    public func presence(withSecondFactor: Bool = false, now: Timestamp, before: Timestamp?) -> Timestamp {
        guard showsPerson else { return before ?? Timestamp(milliseconds: 0) }
        return withSecondFactor ? now : moment
    }

    /// - Throws: ``AccountRefusal/personNotShown`` if the intent is to show that the user is present, or to let this account sign in as
    ///   another user, and this does not show them.
    public func require(for intent: Intent) throws(AccountRefusal) {
        switch intent {
        case .signIn, .credential: return
        case .link, .reauthenticate: guard showsPerson else { throw .personNotShown }
        }
    }
}
