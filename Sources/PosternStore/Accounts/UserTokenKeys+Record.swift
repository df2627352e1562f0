import PosternCore
import PosternCrypto
import StrictJSON

extension UserTokenKeys: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            signing: try record.requiredRecord("signing"), next: try record.optionalRecord("next"),
            retired: try record.requiredRecords("retired"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("signing", record: signing)
        record.set("next", record: next)
        record.set("retired", retired.map(\.record))
        return record
    }
}

extension UserTokenKeys.Entry: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        let key = UserTokenKey(
            privateKeyPEM: try record.requiredSecret("privateKeyPEM"), x: try record.requiredSecret("x").revealBytes(),
            y: try record.requiredSecret("y").revealBytes(), cryptography: OpenSSLCryptography())
        guard let key else { throw JSONMemberError(path: "x", reason: .notAllowed("must have 32 bytes, as must y")) }
        self.init(key: key, since: try record.requiredMoment("since"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("privateKeyPEM", secret: key.privateKeyPEM)
        record.set("x", secret: Secret(key.x))
        record.set("y", secret: Secret(key.y))
        record.set("since", moment: since)
        return record
    }
}
