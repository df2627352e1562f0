import PosternCore
import StrictJSON

/// The kinds of both are one set of words: a sign-in's own, and those of what happened at the provider.
extension SignInFailure: Record {
    private enum Word: String { case timedOut, cancelled, ownerEnded, otherAccount }

    init(record: JSONObject) throws(JSONMemberError) {
        switch Word(rawValue: try record.required("kind")) {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .ownerEnded: self = .ownerEnded(isSignedOut: try record.required("isSignedOut"))
        case .otherAccount: self = .otherAccount(asked: try record.required("asked"), signedIn: try record.required("signedIn"))
        case nil: self = .provider(try ProviderFailure(record: record))
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        switch self {
        case .provider(let failure): return failure.record
        case .timedOut: record.set("kind", Word.timedOut.rawValue)
        case .cancelled: record.set("kind", Word.cancelled.rawValue)
        case .ownerEnded(let isSignedOut):
            record.set("kind", Word.ownerEnded.rawValue)
            record.set("isSignedOut", isSignedOut)
        case .otherAccount(let asked, let signedIn):
            record.set("kind", Word.otherAccount.rawValue)
            record.set("asked", asked)
            record.set("signedIn", signedIn)
        }
        return record
    }
}
