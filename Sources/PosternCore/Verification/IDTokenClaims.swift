import StrictJSON

/// The claims of an ID token (OpenID Connect Core sections 2 and 5.1), each of its right type. Whether they are true is
/// another question: see ``VerifiedIDToken``.
public struct IDTokenClaims: Sendable {
    public let issuer: String
    public let subject: String
    /// At least one.
    public let audiences: [String]
    public let authorizedParty: String?
    public let expiresAt: Timestamp
    public let issuedAt: Timestamp
    public let notBefore: Timestamp?
    /// `auth_time`: when the person was last asked to prove who they are.
    public let authenticatedAt: Timestamp?
    public let nonce: Secret?
    public let accessTokenHash: String?
    let codeHash: String?
    /// All of them, as they came.
    public let document: JSONObject

    init(_ document: JSONObject) throws(IDTokenRejection) {
        self.document = document
        do throws(JSONMemberError) {
            issuer = try document.required("iss")
            subject = try document.required("sub")
            guard let audiences = try Self.audiences(in: document) else { throw JSONMemberError(path: "aud", reason: .missing) }
            self.audiences = audiences
            authorizedParty = try document.optional("azp")
            expiresAt = try document.requiredNumericDate("exp")
            issuedAt = try document.requiredNumericDate("iat")
            notBefore = try document.numericDate("nbf")
            authenticatedAt = try document.numericDate("auth_time")
            nonce = try document.optional("nonce", as: String.self).map { Secret($0) }
            accessTokenHash = try document.optional("at_hash")
            codeHash = try document.optional("c_hash")
            try ProfileClaims.checkTypes(in: document)
        } catch {
            throw .claim(error)
        }
        guard !audiences.isEmpty else { throw .noAudience }
    }

    /// One string, or an array of them (RFC 7519 section 4.1.3); nil where the claim is missing or null.
    static func audiences(in document: JSONObject) throws(JSONMemberError) -> [String]? {
        switch document["aud"] {
        case nil, .null?: return nil
        case .string(let audience)?: return [audience]
        case .array?: return try document.required("aud", as: [String].self)
        case let other?:
            throw JSONMemberError(path: "aud", reason: .wrongType(expected: "a string or an array of strings", found: other.typeName))
        }
    }
}
