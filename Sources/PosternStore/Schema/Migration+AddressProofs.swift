import PosternCore
import StrictJSON

extension Migration {
    /// Distinguishes who said that a user's address is theirs; before, all providers' statements counted alike.
    ///
    /// Which provider is the authority for an address depends on the configuration, which is not known here, and which may have been
    /// different when the user was created. So an address counts as proved only if a linked account of Google or Apple proves it with their
    /// built-in settings. Every other one is proved when its authority next signs its owner in; until then nobody enrols a second factor
    /// with it, and an authority that signs in with an account that is not linked takes the user over.
    static let addressProofs = Migration(
        version: 3,
        rewrite: { connection, sealer throws(StoreError) in
            let users = try connection.query("SELECT uid, sealed FROM users") {
                (row: borrowing Row) throws(StoreError) in (uid: try row.text(0), sealed: try row.blob(1))
            }
            for (uid, sealed) in users {
                let place = Place(.user, uid)
                // One that cannot be decrypted is an error for a caller that needs it, and must not affect other users.
                guard var user = try? sealer.open(sealed, at: place) else { continue }
                let proof = addressProof(of: user, identities: try identities(of: uid, connection, sealer))
                user["emailVerified"] = nil
                user["addressProof"] = .string(proof)
                try connection.run("UPDATE users SET sealed = ? WHERE uid = ?", [.blob(try sealer.seal(user, at: place)), .text(uid)])
            }
        })

    private static func identities(
        of uid: String, _ connection: Connection, _ sealer: Sealer
    ) throws(StoreError) -> [JSONObject] {
        try connection.query("SELECT provider_id, subject_index, sealed FROM identities WHERE uid = ?", [.text(uid)]) {
            (row: borrowing Row) throws(StoreError) in
            let place = Place(.identity, Array(try row.text(0).utf8), try row.blob(1), Array(uid.utf8))
            return try? sealer.open(try row.blob(2), at: place)
        }.compactMap(\.self)
    }

    private static func addressProof(of user: JSONObject, identities: [JSONObject]) -> String {
        guard user["emailVerified"] == .bool(true), let email = user["email"]?.stringValue else { return "none" }
        let isProved = identities.contains { identity in
            guard identity["emailVerified"] == .bool(true), let providerID = identity["providerID"]?.stringValue,
                let told = identity["email"]?.stringValue
            else { return false }
            return EmailAddress.isSame(told.lowercased(), email.lowercased()) && isAuthority(providerID, for: email)
        }
        return isProved ? "authority" : "provider"
    }

    /// As built in when this migration was written. For the domains of others Google uses a claim that is not stored.
    static func isAuthority(_ providerID: String, for email: String) -> Bool {
        switch providerID {
        case "apple.com": true
        case "google.com": email.lowercased().hasSuffix("@gmail.com")
        default: false
        }
    }
}
