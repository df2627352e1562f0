import PosternCore
import StrictJSON

extension AccountRefusal: Record {
    private enum Word: String, Stored {
        case noCurrentUser, providerAlreadyLinked, credentialAlreadyInUse, emailAlreadyInUse, accountExists, userMismatch
        case secondFactorRequired, requiresRecentSignIn, personNotShown, noSuchProvider, lastProvider, userNotFound
        case tooManyAnonymousUsers, linkNotProved, accountNotConfirmed
        case firebase
    }

    init(record: JSONObject) throws(JSONMemberError) {
        self =
            switch try record.value("kind", as: Word.self) {
            case .noCurrentUser: .noCurrentUser
            case .providerAlreadyLinked:
                .providerAlreadyLinked(providerID: try record.value("providerID"), account: try record.value("account"))
            case .credentialAlreadyInUse: .credentialAlreadyInUse(email: try record.value("email"))
            case .emailAlreadyInUse: .emailAlreadyInUse(email: try record.value("email"))
            case .accountExists: .accountExists(email: try record.value("email"), providerIDs: try record.value("providerIDs"))
            case .userMismatch: .userMismatch
            case .secondFactorRequired: .secondFactorRequired(uid: try record.value("uid"), hints: try record.value("hints"))
            case .requiresRecentSignIn: .requiresRecentSignIn
            case .personNotShown: .personNotShown
            case .accountNotConfirmed:
                .accountNotConfirmed(
                    login: try record.value("login"), account: try record.value("account"), subject: try record.value("subject"))
            case .linkNotProved: .linkNotProved(providerID: try record.value("providerID"))
            case .noSuchProvider: .noSuchProvider(providerID: try record.value("providerID"))
            case .lastProvider: .lastProvider(providerID: try record.value("providerID"))
            case .userNotFound: .userNotFound
            case .tooManyAnonymousUsers: .tooManyAnonymousUsers(limit: try record.value("limit"))
            case .firebase: .firebase(try FirebaseRefusal(record: record))
            }
    }

    var record: JSONObject {
        switch self {
        case .noCurrentUser: JSONObject(stored: ["kind": Word.noCurrentUser])
        case .providerAlreadyLinked(let providerID, let account):
            JSONObject(stored: ["kind": Word.providerAlreadyLinked, "providerID": providerID, "account": account])
        case .credentialAlreadyInUse(let email): JSONObject(stored: ["kind": Word.credentialAlreadyInUse, "email": email])
        case .emailAlreadyInUse(let email): JSONObject(stored: ["kind": Word.emailAlreadyInUse, "email": email])
        case .accountExists(let email, let providerIDs):
            JSONObject(stored: ["kind": Word.accountExists, "email": email, "providerIDs": providerIDs])
        case .userMismatch: JSONObject(stored: ["kind": Word.userMismatch])
        case .secondFactorRequired(let uid, let hints): JSONObject(stored: ["kind": Word.secondFactorRequired, "uid": uid, "hints": hints])
        case .requiresRecentSignIn: JSONObject(stored: ["kind": Word.requiresRecentSignIn])
        case .personNotShown: JSONObject(stored: ["kind": Word.personNotShown])
        case .accountNotConfirmed(let login, let account, let subject):
            JSONObject(stored: ["kind": Word.accountNotConfirmed, "login": login, "account": account, "subject": subject])
        case .linkNotProved(let providerID): JSONObject(stored: ["kind": Word.linkNotProved, "providerID": providerID])
        case .noSuchProvider(let providerID): JSONObject(stored: ["kind": Word.noSuchProvider, "providerID": providerID])
        case .lastProvider(let providerID): JSONObject(stored: ["kind": Word.lastProvider, "providerID": providerID])
        case .userNotFound: JSONObject(stored: ["kind": Word.userNotFound])
        case .tooManyAnonymousUsers(let limit): JSONObject(stored: ["kind": Word.tooManyAnonymousUsers, "limit": limit])
        case .firebase(let refusal): Self.record(of: refusal)
        }
    }

    private static func record(of refusal: FirebaseRefusal) -> JSONObject {
        var record = refusal.record
        record["kind"] = Word.firebase.stored
        return record
    }
}
