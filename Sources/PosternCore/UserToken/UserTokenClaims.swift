import StrictJSON

/// What an ID token of a user says: OpenID Connect's claims and Firebase's, and which app asked.
public enum UserTokenClaims {
    /// From `iat` to `exp`, as Firebase has it.
    public static let lifetimeSeconds: Int64 = 3600

    /// - Parameter issuer: the base URL of the callback listener, as the discovery document says it.
    public static func claims(
        for user: User, _ signIn: AppSignIn, audience: TokenAudience, issuer: String, now: Timestamp
    ) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(audience.text), "sub": .string(user.uid), "user_id": .string(user.uid),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + lifetimeSeconds),
            // A clock that was set back must not make a sign-in of the future: libraries refuse that.
            "auth_time": .integer(min(signIn.authenticatedAt, now).seconds), "app": .string(signIn.app),
        ]
        if let name = user.displayName { claims["name"] = .string(name) }
        if let picture = user.photoURL { claims["picture"] = .string(picture) }
        if let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(user.emailVerified)
        }
        if user.isAnonymous { claims["provider_id"] = .string(AppSignIn.anonymousProviderID) }
        claims["firebase"] = .object(firebase(user, signIn))
        return claims
    }

    /// How the user signed in, in the form that rules written for Firebase read.
    private static func firebase(_ user: User, _ signIn: AppSignIn) -> JSONObject {
        var identities = JSONObject()
        for identity in user.identities { identities[identity.providerID] = .array([.string(identity.subject)]) }
        if let email = user.email { identities["email"] = .array([.string(email)]) }
        var members: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(signIn.providerID)]
        // One that was taken away since no longer proves anything.
        if let factor = user.secondFactors.first(where: { $0.uid == signIn.secondFactor }) {
            members["sign_in_second_factor"] = .string(factor.kind.rawValue)
            members["second_factor_identifier"] = .string(factor.uid)
        }
        return members
    }
}

/// For which service an ID token is made (`aud`): a name that the service chose, most often an address.
public struct TokenAudience: Sendable, Hashable {
    /// In bytes; an address fits, and a name that is longer is nobody's.
    public static let longest = 255

    public let text: String

    /// Nil if the text is empty or too long, or has a character that cannot be seen: a token for everybody, or for a name that
    /// looks like another's, would be taken by the wrong one.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isVisible) else { return nil }
        guard text.first != " ", text.last != " " else { return nil }
        self.text = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
