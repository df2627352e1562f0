import PosternCore
import StrictJSON

extension DPoPKey: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard
            let key = DPoPKey(
                privateKeyPEM: try record.requiredSecret("privateKeyPEM"), x: try record.requiredSecret("x").revealBytes(),
                y: try record.requiredSecret("y").revealBytes())
        else { throw JSONMemberError(path: "x", reason: .notAllowed("must have 32 bytes, as must y")) }
        self = key
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("privateKeyPEM", secret: privateKeyPEM)
        record.set("x", secret: Secret(x))
        record.set("y", secret: Secret(y))
        return record
    }
}
