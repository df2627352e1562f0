import PosternCore
import StrictJSON

extension AccountRefusal: Record {
    fileprivate enum Word: String {
        case noCurrentUser, providerAlreadyLinked, credentialAlreadyInUse, emailAlreadyInUse, accountExists, userMismatch
        case secondFactorRequired, requiresRecentSignIn, personNotShown, noSuchProvider, lastProvider, userNotFound
        case tooManyAnonymousUsers, linkNotProved, accountNotConfirmed
        case firebase
    }

    init(record: JSONObject) throws(JSONMemberError) {
        guard let word = Word(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is unknown"))
        }
        switch word {
        case .noCurrentUser: self = .noCurrentUser
        case .providerAlreadyLinked:
            self = .providerAlreadyLinked(providerID: try record.required("providerID"), account: try record.optional("account"))
        case .credentialAlreadyInUse: self = .credentialAlreadyInUse(email: try record.optional("email"))
        case .emailAlreadyInUse: self = .emailAlreadyInUse(email: try record.required("email"))
        case .accountExists:
            self = .accountExists(email: try record.required("email"), providerIDs: try record.required("providerIDs"))
        case .userMismatch: self = .userMismatch
        case .secondFactorRequired:
            self = .secondFactorRequired(uid: try record.required("uid"), hints: try record.requiredRecords("hints"))
        case .requiresRecentSignIn: self = .requiresRecentSignIn
        case .personNotShown: self = .personNotShown
        case .accountNotConfirmed:
            self = .accountNotConfirmed(
                login: try record.required("login"), account: try record.required("account"), subject: try record.required("subject"))
        case .linkNotProved: self = .linkNotProved(providerID: try record.required("providerID"))
        case .noSuchProvider: self = .noSuchProvider(providerID: try record.required("providerID"))
        case .lastProvider: self = .lastProvider(providerID: try record.required("providerID"))
        case .userNotFound: self = .userNotFound
        case .tooManyAnonymousUsers: self = .tooManyAnonymousUsers(limit: Int(try record.required("limit", as: Int64.self)))
        case .firebase: self = .firebase(try FirebaseRefusal(record: record))
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        switch self {
        case .noCurrentUser: record.set("kind", Word.noCurrentUser.rawValue)
        case .providerAlreadyLinked(let providerID, let account):
            record.set(.providerAlreadyLinked, providerID: providerID)
            record.set("account", account)
        case .credentialAlreadyInUse(let email): record.set(.credentialAlreadyInUse, email: email)
        case .emailAlreadyInUse(let email): record.set(.emailAlreadyInUse, email: email)
        case .accountExists(let email, let providerIDs):
            record.set(.accountExists, email: email)
            record.set("providerIDs", providerIDs)
        case .userMismatch: record.set("kind", Word.userMismatch.rawValue)
        case .secondFactorRequired(let uid, let hints):
            record.set("kind", Word.secondFactorRequired.rawValue)
            record.set("uid", uid)
            record.set("hints", hints.map(\.record))
        case .requiresRecentSignIn: record.set("kind", Word.requiresRecentSignIn.rawValue)
        case .personNotShown: record.set("kind", Word.personNotShown.rawValue)
        case .accountNotConfirmed(let login, let account, let subject):
            record.set("kind", Word.accountNotConfirmed.rawValue)
            record.set("login", login)
            record.set("account", account)
            record.set("subject", subject)
        case .linkNotProved(let providerID): record.set(.linkNotProved, providerID: providerID)
        case .noSuchProvider(let providerID): record.set(.noSuchProvider, providerID: providerID)
        case .lastProvider(let providerID): record.set(.lastProvider, providerID: providerID)
        case .userNotFound: record.set("kind", Word.userNotFound.rawValue)
        case .tooManyAnonymousUsers(let limit):
            record.set("kind", Word.tooManyAnonymousUsers.rawValue)
            record.set("limit", Int64(limit))
        case .firebase(let refusal):
            record = refusal.record
            record.set("kind", Word.firebase.rawValue)
        }
        return record
    }
}

extension JSONObject {
    fileprivate mutating func set(_ word: AccountRefusal.Word, providerID: String) {
        set("kind", word.rawValue)
        set("providerID", providerID)
    }

    fileprivate mutating func set(_ word: AccountRefusal.Word, email: String?) {
        set("kind", word.rawValue)
        set("email", email)
    }
}
