import PosternCore
import StrictJSON

/// Kept until the code is answered, so that after a restart the user does not have to type it again.
extension DeviceAuthorization: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            deviceCode: try record.requiredSecret("deviceCode"), userCode: try record.required("userCode"),
            verificationURI: try record.required("verificationURI"),
            verificationURIComplete: try record.optional("verificationURIComplete"), expiresAt: try record.requiredMoment("expiresAt"),
            intervalSeconds: try record.required("intervalSeconds"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("deviceCode", secret: deviceCode)
        record.set("userCode", userCode)
        record.set("verificationURI", verificationURI)
        record.set("verificationURIComplete", verificationURIComplete)
        record.set("expiresAt", moment: expiresAt)
        record.set("intervalSeconds", intervalSeconds)
        return record
    }
}
