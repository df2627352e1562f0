import StrictJSON

/// Somebody who can sign in here. Both are dead and would not mind.
struct Person: Sendable, Hashable {
    /// Used in forms and in the address of the picture.
    let name: String
    let subject: String
    let givenName: String
    let familyName: String
    let email: String

    static let all = [
        Person(name: "ada", subject: "demo-1815", givenName: "Ada", familyName: "Lovelace", email: "ada@example.com"),
        Person(name: "grace", subject: "demo-1906", givenName: "Grace", familyName: "Hopper", email: "grace@example.org"),
    ]

    var displayName: String { "\(givenName) \(familyName)" }
    var initials: String { "\(givenName.prefix(1))\(familyName.prefix(1))" }

    var picturePath: String { "\(Route.pictures.rawValue)\(name).svg" }
    static func pictured(at path: String) -> Person? { all.first { $0.picturePath == path } }
    static func named(_ name: String) -> Person? { all.first { $0.name == name } }

    /// The person that a `login_hint` means: an address, a user name or a subject.
    static func hinted(by hint: String) -> Person? {
        let hint = hint.lowercased()
        return all.first { [$0.name, $0.subject, $0.email].contains(hint) }
    }

    /// The claims requested by the scopes (OpenID Connect Core section 5.4), and always the subject.
    func claims(for scopes: [String], issuer: String) -> JSONObject {
        var claims: JSONObject = ["sub": .string(subject)]
        if scopes.contains("profile") {
            claims["name"] = .string(displayName)
            claims["given_name"] = .string(givenName)
            claims["family_name"] = .string(familyName)
            claims["preferred_username"] = .string(name)
            claims["picture"] = .string(issuer + picturePath)
        }
        if scopes.contains("email") {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        return claims
    }
}
