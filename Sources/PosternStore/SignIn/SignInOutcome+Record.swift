import PosternCore
import StrictJSON

extension SignInOutcome: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        if let refusal = try record.value("refused", as: AccountRefusal?.self) {
            self = .refused(refusal, try record.value("completed"))
        } else if let completed = try record.value("completed", as: CompletedSignIn?.self) {
            self = .completed(completed)
        } else if let kept = try record.value("kept", as: CompletedSignIn?.self) {
            self = .kept(kept)
        } else {
            self = .failed(try record.value("failed"))
        }
    }

    var record: JSONObject {
        switch self {
        case .completed(let completed): JSONObject(stored: ["completed": completed])
        case .kept(let completed): JSONObject(stored: ["kept": completed])
        case .refused(let refusal, let completed): JSONObject(stored: ["refused": refusal, "completed": completed])
        case .failed(let failure): JSONObject(stored: ["failed": failure])
        }
    }
}
