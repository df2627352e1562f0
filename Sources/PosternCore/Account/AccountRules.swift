/// Which local user a sign-in belongs to.
public enum AccountRules {
    public struct Decision: Sendable, Equatable {
        public var user: User
        public var isNewUser: Bool
    }

    /// A provider vouched for an identity. The same identity always finds the same user; another one makes a new user.
    ///
    /// - Parameters:
    ///   - owner: the user that the identity belongs to, looked up in the same transaction.
    ///   - newUID: for the case that a user has to be made.
    public static func signedIn(as identity: Identity, owner: User?, newUID: String, now: Timestamp) -> Decision {
        guard var user = owner else {
            let user = User(
                uid: newUID, displayName: identity.displayName, email: identity.email,
                emailVerified: identity.email != nil && identity.emailVerified, photoURL: identity.photoURL,
                identities: [identity], createdAt: now, lastSignInAt: now)
            return Decision(user: user, isNewUser: true)
        }
        // Firebase refreshes what the provider says and leaves the user's own name, address and photo alone.
        if let index = user.identities.firstIndex(where: { $0.providerID == identity.providerID && $0.subject == identity.subject }) {
            var identity = identity
            // Apple tells a name once. Elsewhere a name that is not told again is hardly ever one that was taken back.
            identity.displayName = identity.displayName ?? user.identities[index].displayName
            user.identities[index] = identity
        } else {
            user.identities.append(identity)
        }
        user.lastSignInAt = now
        return Decision(user: user, isNewUser: false)
    }
}

/// Identifiers for people and programs to carry around.
public enum RandomIdentifier {
    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// 28 letters and digits, as Firebase's uids are: more than 160 random bits.
    ///
    /// - Parameter bytes: 28 random bytes, one a character. 256 is no multiple of 62, so eight characters are a little
    ///   likelier than the rest; that costs less than one bit in all.
    public static func uid(randomBytes bytes: [UInt8]) -> String {
        text(bytes.prefix(28))
    }

    /// 24 letters and digits: more than 140 random bits. Nothing else, because it is given to commands as an argument, where a
    /// dash in front would make it an option.
    ///
    /// - Parameter bytes: 24 random bytes, one a character.
    public static func sessionID(randomBytes bytes: [UInt8]) -> String {
        text(bytes.prefix(24))
    }

    /// For signed requests: 24 letters and digits, and nothing else, as X wants it.
    ///
    /// - Parameter bytes: 24 random bytes, one a character.
    public static func nonce(randomBytes bytes: [UInt8]) -> String { text(bytes.prefix(24)) }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.map { letters[Int($0) % letters.count] })
    }
}
