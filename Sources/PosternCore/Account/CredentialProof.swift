/// How it was shown that the user was there when a credential came, and when that was.
///
/// It stays with the credential wherever that goes: into a handle, a resolver, a result that waits to be fetched.
public struct CredentialProof: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A page, or a code for another device, that was begun here and whose answer came here.
        case flow
        /// An ID token that answers a nonce and was made within the last minutes. It is good once.
        case idToken
        /// A password that was right.
        case password
        /// An access token and nothing beside it. It says whose account it opens, and not who holds it: every program can have it, for as
        /// long as the provider leaves it good.
        case accessToken
    }

    public var kind: Kind
    /// When it came here.
    public var moment: Timestamp

    public init(_ kind: Kind, at moment: Timestamp) {
        self.kind = kind
        self.moment = moment
    }
}

extension CredentialProof {
    /// Of a credential that an earlier version kept without saying how it came: it could have been an access token.
    public static let unknown = CredentialProof(.accessToken, at: Timestamp(milliseconds: 0))

    /// The user was there, and nobody else can have brought it.
    public var showsPerson: Bool {
        switch kind {
        case .flow, .idToken, .password: true
        case .accessToken: false
        }
    }

    /// When the user was there.
    ///
    /// A refusal gives a new handle for the same credential, so a handle can be carried on for hours: what counts is not when it is used.
    ///
    /// - Parameters:
    ///   - withSecondFactor: a second factor was given just now, which shows the user again, though not by itself.
    ///   - before: when the same user was there before, for the same app.
    public func presence(withSecondFactor: Bool = false, now: Timestamp, before: Timestamp?) -> Timestamp {
        guard showsPerson else { return before ?? Timestamp(milliseconds: 0) }
        return withSecondFactor ? now : moment
    }

    /// - Throws: ``AccountRefusal/personNotShown`` if the intent is to show that the user is there, or to make their account another
    ///   user's way in, and this does not show them.
    public func require(for intent: Intent) throws(AccountRefusal) {
        switch intent {
        case .signIn, .credential: return
        case .link, .reauthenticate: guard showsPerson else { throw .personNotShown }
        }
    }
}
