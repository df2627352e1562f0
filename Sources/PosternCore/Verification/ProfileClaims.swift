import StrictJSON

/// The claims about a person that are read (OpenID Connect Core section 5.1).
enum ProfileClaims {
    private static let texts = [
        "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "email",
    ]

    /// In an ID token and in the answer of a userinfo endpoint each has the type that the specification gives it, or is
    /// missing: a document that is wrong here may be wrong anywhere.
    static func checkTypes(in document: JSONObject) throws(JSONMemberError) {
        for name in texts { _ = try document.optional(name, as: String.self) }
        guard let verified = document["email_verified"], verified != .null else { return }
        guard truth(verified) != nil else {
            throw JSONMemberError(path: "email_verified", reason: .wrongType(expected: "a boolean", found: verified.typeName))
        }
    }

    /// A boolean, or one of the two strings that Apple and Cognito write in its place.
    static func truth(_ json: JSON) -> Bool? {
        switch json {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}
