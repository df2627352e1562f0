import PosternCore
import StrictJSON

extension User: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            uid: try record.required("uid"), isAnonymous: try record.required("isAnonymous"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            addressProof: try record.addressProof(), photoURL: try record.optional("photoURL"),
            identities: try record.requiredRecords("identities"), hasPassword: try record.optional("hasPassword") ?? false,
            secondFactors: try record.optionalRecords("secondFactors"), createdAt: try record.requiredMoment("createdAt"),
            lastSignInAt: try record.requiredMoment("lastSignInAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("uid", uid)
        record.set("isAnonymous", isAnonymous)
        record.set("displayName", displayName)
        record.set("email", email)
        record.set("addressProof", addressProof.rawValue)
        record.set("photoURL", photoURL)
        record.set("identities", identities.map(\.record))
        record.set("hasPassword", hasPassword)
        record.set("secondFactors", secondFactors.map(\.record))
        record.set("createdAt", moment: createdAt)
        record.set("lastSignInAt", moment: lastSignInAt)
        return record
    }
}

extension JSONObject {
    fileprivate func addressProof() throws(JSONMemberError) -> AddressProof {
        guard let word = try optional("addressProof", as: String.self) else {
            // Of an earlier version, which took every provider's word for the same.
            return try optional("emailVerified", as: Bool.self) == true ? .provider : .none
        }
        guard let proof = AddressProof(rawValue: word) else {
            throw JSONMemberError(path: "addressProof", reason: .notAllowed("is none that is known here"))
        }
        return proof
    }
}
