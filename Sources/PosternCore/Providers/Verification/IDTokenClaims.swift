import StrictJSON

/// The claims of an ID token (OpenID Connect Core sections 2 and 5.1), each of the right type. Whether they are true is another question:
/// see ``VerifiedIDToken``.
public struct IDTokenClaims: Sendable {
    public let issuer: String
    public let subject: String
    /// At least one.
    public let audiences: [String]
    public let authorizedParty: String?
    public let expiresAt: Timestamp
    public let issuedAt: Timestamp
    public let notBefore: Timestamp?
    /// `auth_time`: when the user was last asked to prove who they are.
    public let authenticatedAt: Timestamp?
    public let nonce: Secret?
    public let accessTokenHash: String?
    let codeHash: String?
    /// All of them, unchanged.
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

    /// One string, or an array of them (RFC 7519 section 4.1.3); nil if the claim is missing or null.
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

/// The user's claims that are read (OpenID Connect Core section 5.1).
enum ProfileClaims {
    private static let texts = [
        "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "email",
    ]

    /// In an ID token and in a userinfo answer each has the specified type, or is missing: a document that is wrong here may be wrong
    /// anywhere.
    static func checkTypes(in document: JSONObject) throws(JSONMemberError) {
        for name in texts { _ = try document.optional(name, as: String.self) }
        guard let verified = document["email_verified"], verified != .null else { return }
        guard truth(verified) != nil else {
            throw JSONMemberError(path: "email_verified", reason: .wrongType(expected: "a boolean", found: verified.typeName))
        }
    }

    /// A boolean, or one of the two strings that Apple and Cognito send instead.
    static func truth(_ json: JSON) -> Bool? {
        switch json {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}

/// Seconds since 1970 as a JSON number, fractions allowed (RFC 7519 section 2).
enum NumericDate {
    /// Nil if the value is not a number. Any number gives a moment; values too far away are clamped to the years of a ``Timestamp``.
    static func read(_ json: JSON) -> Timestamp? {
        switch json {
        case .integer(let seconds): Timestamp(seconds: seconds)
        // Within ±2^62 before the conversion, which would trap outside 64 bits.
        case .decimal: json.doubleValue.map { Timestamp(seconds: Int64(min(max($0, -4e18), 4e18).rounded(.down))) }
        default: nil
        }
    }
}

extension JSONObject {
    /// A moment, or nil if the member is missing or null.
    func numericDate(_ key: String) throws(JSONMemberError) -> Timestamp? {
        guard let json = self[key], json != .null else { return nil }
        guard let moment = NumericDate.read(json) else {
            throw JSONMemberError(path: key, reason: .wrongType(expected: "a number", found: json.typeName))
        }
        return moment
    }

    func requiredNumericDate(_ key: String) throws(JSONMemberError) -> Timestamp {
        guard let moment = try numericDate(key) else { throw JSONMemberError(path: key, reason: .missing) }
        return moment
    }
}
