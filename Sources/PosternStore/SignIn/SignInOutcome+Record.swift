import PosternCore
import StrictJSON

extension SignInOutcome: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        if let refusal = try record.optionalRecord("refused", as: AccountRefusal.self) {
            self = .refused(refusal, try record.requiredRecord("completed"))
        } else if let completed = try record.optionalRecord("completed", as: CompletedSignIn.self) {
            self = .completed(completed)
        } else {
            self = .failed(try record.requiredRecord("failed"))
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        switch self {
        case .completed(let completed): record.set("completed", record: completed)
        case .refused(let refusal, let completed):
            record.set("refused", record: refusal)
            record.set("completed", record: completed)
        case .failed(let failure): record.set("failed", record: failure)
        }
        return record
    }
}
