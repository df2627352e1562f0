import StrictJSON

/// What a project issues when somebody signs in: an ID token for an hour, and what renews it.
///
/// The ID token came from the project itself, over TLS; its signature is for those to whom it is presented.
public struct FirebaseTokens: Sendable, Equatable {
    public var idToken: Secret
    public var refreshToken: Secret
    public var expiresAt: Timestamp
    /// `sub`
    public var uid: String
    /// `aud`: the project.
    public var audience: String
    /// When the user last proved who they are.
    public var authenticatedAt: Timestamp
    /// With which provider; also `password` and `anonymous`.
    public var signInProvider: String
    /// The second factor that was given as well, by its ID.
    public var secondFactor: String?

    public init(
        idToken: Secret, refreshToken: Secret, expiresAt: Timestamp, uid: String, audience: String, authenticatedAt: Timestamp,
        signInProvider: String, secondFactor: String?
    ) {
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.uid = uid
        self.audience = audience
        self.authenticatedAt = authenticatedAt
        self.signInProvider = signInProvider
        self.secondFactor = secondFactor
    }
}

extension FirebaseTokens {
    /// Firebase's lifetime, if an answer names none.
    static let usualLifetime: Int64 = 3600
    /// A token that is valid for less is renewed before it is used, as in the SDKs.
    public static let leastValidity: Int64 = 300

    /// The token service's member names have underscores.
    public static func refreshed(_ answer: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) -> FirebaseTokens {
        try FirebaseTokens(
            idToken: try answer.requiredToken("id_token"), refreshToken: try answer.requiredToken("refresh_token"),
            lifetime: try answer.number("expires_in"), now: now)
    }

    init(idToken: Secret, refreshToken: Secret, lifetime: Int64?, now: Timestamp) throws(FirebaseRefusal) {
        let claims: JSONObject
        do throws(IDTokenRejection) {
            claims = try CompactJWS(parsing: idToken, mostBytes: FirebaseAnswer.longestToken).payload
        } catch {
            throw FirebaseRefusal(.malformedJWT, detail: "the project's ID token cannot be read: \(error)")
        }
        let answer = FirebaseAnswer(claims)
        guard let uid = try answer.identifier("sub") else {
            throw FirebaseRefusal(.malformedJWT, detail: "the project's ID token has no sub")
        }
        guard let audience = try answer.identifier("aud") else {
            throw FirebaseRefusal(.malformedJWT, detail: "the project's ID token has no aud")
        }
        let end = now.adding(seconds: min(max(lifetime ?? Self.usualLifetime, 0), 86_400))
        let firebase = try answer.object("firebase")
        self.init(
            idToken: idToken, refreshToken: refreshToken,
            expiresAt: claims["exp"].flatMap(NumericDate.read).map { min($0, end) } ?? end, uid: uid, audience: audience,
            // A token that does not say counts as one from long ago.
            authenticatedAt: claims["auth_time"].flatMap(NumericDate.read) ?? Timestamp(milliseconds: 0),
            signInProvider: try firebase?.identifier("sign_in_provider") ?? "custom",
            secondFactor: try firebase?.identifier("second_factor_identifier"))
    }

    public func isGood(now: Timestamp) -> Bool { expiresAt >= now.adding(seconds: Self.leastValidity) }
}
