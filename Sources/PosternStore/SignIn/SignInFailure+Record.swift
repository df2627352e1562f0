import PosternCore
import StrictJSON

/// The reasons of both are one set of words: a sign-in's own, and those of what happened at the provider.
extension SignInFailure: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let reason = Ending.Reason(rawValue: try record.value("kind")) else {
            self = .provider(try ProviderFailure(record: record))
            return
        }
        try record.require(reason.members)
        self = .ended(try Ending(record: record))
    }

    var record: JSONObject {
        switch self {
        case .provider(let failure): failure.record
        case .ended(let ending): ending.record
        }
    }
}

extension SignInFailure.Ending.Reason: Stored {}

extension SignInFailure.Ending: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        self.init(try members("kind", \.reason))
        isSignedOut = try members("isSignedOut", \.isSignedOut)
        asked = try members("asked", \.asked)
        signedIn = try members("signedIn", \.signedIn)
        missing = try members("missing", \.missing)
    }
}
