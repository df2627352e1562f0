import PosternCore
import PosternCrypto
import StrictJSON

extension User: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            uid: try record.required("uid"), isAnonymous: try record.required("isAnonymous"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            addressProof: try record.requiredAddressProof(), photoURL: try record.optional("photoURL"),
            identities: try record.requiredRecords("identities"), hasPassword: try record.required("hasPassword"),
            secondFactors: try record.requiredRecords("secondFactors"), createdAt: try record.requiredMoment("createdAt"),
            lastSignInAt: try record.requiredMoment("lastSignInAt"), generation: try record.required("generation"))
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
        record.set("generation", generation)
        return record
    }
}

extension JSONObject {
    fileprivate func requiredAddressProof() throws(JSONMemberError) -> AddressProof {
        guard let proof = AddressProof(rawValue: try required("addressProof")) else {
            throw JSONMemberError(path: "addressProof", reason: .notAllowed("is unknown"))
        }
        return proof
    }
}

extension PasswordHash: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            parameters: Parameters(
                cost: try record.required("cost"), blockSize: try record.required("blockSize"),
                parallelization: try record.required("parallelization")),
            salt: try record.requiredSecret("salt").withBytes { Array($0) }, hash: try record.requiredSecret("hash"),
            changedAt: try record.requiredMoment("changedAt"))
        guard
            Scrypt.accepts(cost: parameters.cost, blockSize: parameters.blockSize, parallelization: parameters.parallelization)
        else { throw JSONMemberError(path: "cost", reason: .notAllowed("asks for more work than any password needs")) }
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("cost", parameters.cost)
        record.set("blockSize", parameters.blockSize)
        record.set("parallelization", parameters.parallelization)
        record.set("salt", secret: Secret(salt))
        record.set("hash", secret: hash)
        record.set("changedAt", moment: changedAt)
        return record
    }
}

extension SecondFactor: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let kind = Kind(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is unknown"))
        }
        self.init(
            kind: kind, uid: try record.required("uid"), displayName: try record.optional("displayName"),
            phoneNumber: try record.optional("phoneNumber"), enrolledAt: try record.requiredMoment("enrolledAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("kind", kind.rawValue)
        record.set("uid", uid)
        record.set("displayName", displayName)
        record.set("phoneNumber", phoneNumber)
        record.set("enrolledAt", moment: enrolledAt)
        return record
    }
}

extension AppSignIn: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            id: try record.required("id"), app: try record.required("app"), uid: try record.required("uid"),
            authenticatedAt: try record.requiredMoment("authenticatedAt"), providerID: try record.required("providerID"),
            secondFactor: try record.optional("secondFactor"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("id", id)
        record.set("app", app)
        record.set("uid", uid)
        record.set("authenticatedAt", moment: authenticatedAt)
        record.set("providerID", providerID)
        record.set("secondFactor", secondFactor)
        return record
    }
}

extension PageOwner: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(signIn: try record.required("signIn"), generation: try record.required("generation"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("signIn", signIn)
        record.set("generation", generation)
        return record
    }
}
