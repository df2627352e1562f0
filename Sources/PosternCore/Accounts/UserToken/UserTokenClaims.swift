import StrictJSON

/// The contents of a user's ID token: OpenID Connect's claims and Firebase's, and which app asked.
public enum UserTokenClaims {
    /// From `iat` to `exp`, in seconds, as in Firebase.
    public static let lifetimeSeconds: Int64 = 3600

    /// - Parameter issuer: the base URL of the callback listener, as in the discovery document.
    public static func claims(
        for user: User, _ signIn: AppSignIn, audience: TokenAudience, issuer: String, now: Timestamp
    ) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(audience.text), "sub": .string(user.uid), "user_id": .string(user.uid),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + lifetimeSeconds),
            // If the clock was set back, a sign-in must not be in the future: libraries reject that.
            "auth_time": .integer(min(signIn.authenticatedAt, now).seconds), "app": .string(signIn.app.text),
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

    /// How the user signed in, in the format that rules written for Firebase read.
    private static func firebase(_ user: User, _ signIn: AppSignIn) -> JSONObject {
        var identities = JSONObject()
        for identity in user.identities { identities[identity.providerID] = .array([.string(identity.subject)]) }
        if let email = user.email { identities["email"] = .array([.string(email)]) }
        var members: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(signIn.providerID)]
        // One that has been removed since no longer proves anything.
        if let factor = user.secondFactors.first(where: { $0.uid == signIn.secondFactor }) {
            members["sign_in_second_factor"] = .string(factor.kind.rawValue)
            members["second_factor_identifier"] = .string(factor.uid)
        }
        return members
    }
}

/// The service that an ID token is issued for (`aud`): a name that the service chose, usually a URL.
public struct TokenAudience: Sendable, Hashable {
    /// In bytes; a URL fits, and nobody has a longer name.
    public static let longest = 255

    public let text: String

    /// Nil if the text is empty or too long, or contains an invisible character: a token for everybody, or for a name that looks like
    /// another's, would be accepted by the wrong service.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isVisible) else { return nil }
        guard text.unicodeScalars.first != " ", text.unicodeScalars.last != " " else { return nil }
        self.text = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
