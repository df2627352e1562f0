import PosternCore
import StrictJSON

/// The kinds of both are one set of words: a sign-in's own, and those of what happened at the provider.
extension SignInFailure: Record {
    private enum Word: String, Stored { case timedOut, cancelled, ownerEnded, otherAccount }

    init(record: JSONObject) throws(JSONMemberError) {
        self =
            switch Word(rawValue: try record.value("kind")) {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .ownerEnded: .ownerEnded(isSignedOut: try record.value("isSignedOut"))
            case .otherAccount: .otherAccount(asked: try record.value("asked"), signedIn: try record.value("signedIn"))
            case nil: .provider(try ProviderFailure(record: record))
            }
    }

    var record: JSONObject {
        switch self {
        case .provider(let failure): failure.record
        case .timedOut: JSONObject(stored: ["kind": Word.timedOut])
        case .cancelled: JSONObject(stored: ["kind": Word.cancelled])
        case .ownerEnded(let isSignedOut): JSONObject(stored: ["kind": Word.ownerEnded, "isSignedOut": isSignedOut])
        case .otherAccount(let asked, let signedIn):
            JSONObject(stored: ["kind": Word.otherAccount, "asked": asked, "signedIn": signedIn])
        }
    }
}
