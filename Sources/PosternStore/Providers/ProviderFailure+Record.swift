import PosternCore
import StrictJSON

extension ProviderFailure.Reason: Stored {}

extension ProviderFailure: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        let reason = try members("kind", \.reason)
        let error = try members("error", \.error)
        let description = try members("description", \.errorDescription)
        if reason == .denied {
            // Its message is the code with its description.
            self = .denied(error: error ?? "", description: description)
        } else {
            let message = reason == .invalidIDToken ? "reason" : "message"
            self.init(reason, error: error, description: description, message: try members(message, \.message))
        }
        guard error != nil || !reason.row.hasCode else { throw JSONMemberError(path: "error", reason: .missing) }
    }
}
