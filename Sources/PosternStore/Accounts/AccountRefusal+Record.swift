import PosternCore
import StrictJSON

extension AccountRefusal.Reason: Stored {}
extension AccountRefusal.Absence: Stored {}

extension AccountRefusal: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        let reason = try record.value("kind", as: Reason.self)
        try record.require(reason.row.members)
        self.init(reason)
        providerID = try record.value("providerID")
        login = try record.value("login")
        account = try record.value("account")
        email = try record.value("email")
        providerIDs = try record.value("providerIDs", as: [String]?.self) ?? []
        uid = try record.value("uid")
        hints = try record.value("hints", as: [SecondFactor]?.self) ?? []
        generation = try record.value("generation")
        subject = try record.value("subject")
        limit = try record.value("limit")
        absence = try record.value("absence")
        isOfNobody = try record.value("isOfNobody", as: Bool?.self) ?? false
        firebase = reason == .firebase ? try FirebaseRefusal(record: record) : nil
    }

    var record: JSONObject {
        let members = reason.row.members
        var record = firebase?.record ?? JSONObject()
        record.set(stored: [
            "kind": reason, "providerID": providerID, "login": login, "account": account, "email": email,
            "providerIDs": members.contains("providerIDs") ? providerIDs : nil as [String]?, "uid": uid,
            "hints": members.contains("hints") ? hints : nil as [SecondFactor]?, "generation": generation, "subject": subject,
            "limit": limit, "absence": absence, "isOfNobody": isOfNobody ? true : nil as Bool?,
        ])
        return record
    }
}
