import PosternCore
import StrictJSON

extension PasswordHash: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            parameters: Parameters(
                cost: try record.required("cost"), blockSize: try record.required("blockSize"),
                parallelization: try record.required("parallelization")),
            salt: try record.requiredSecret("salt").withBytes { Array($0) }, hash: try record.requiredSecret("hash"),
            changedAt: try record.requiredMoment("changedAt"))
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
