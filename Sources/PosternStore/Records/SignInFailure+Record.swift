import PosternCore
import StrictJSON

extension SignInFailure: Record {
    private enum Word: String {
        case denied, timedOut, cancelled, exchangeFailed, unreachable, invalidIDToken, otherAccount, providerNotConfigured, storeUnavailable
        case storeLocked, `internal`, foreignAnswer, scopeRejected, requestRejected, ownerEnded
    }

    init(record: JSONObject) throws(JSONMemberError) {
        guard let word = Word(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is none that is known here"))
        }
        switch word {
        case .denied: self = .denied(error: try record.required("error"), description: try record.optional("description"))
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .ownerEnded: self = .ownerEnded(isSignedOut: try record.required("isSignedOut"))
        case .exchangeFailed:
            self = .exchangeFailed(
                error: try record.optional("error"), description: try record.optional("description"),
                message: try record.required("message"))
        case .foreignAnswer: self = .foreignAnswer(message: try record.required("message"))
        case .unreachable: self = .unreachable(message: try record.required("message"))
        case .invalidIDToken: self = .invalidIDToken(reason: try record.required("reason"))
        case .otherAccount:
            self = .otherAccount(asked: try record.required("asked"), signedIn: try record.required("signedIn"))
        case .providerNotConfigured: self = .providerNotConfigured(message: try record.required("message"))
        case .scopeRejected: self = .scopeRejected(message: try record.required("message"))
        case .requestRejected:
            self = .requestRejected(
                error: try record.required("error"), description: try record.optional("description"),
                message: try record.required("message"))
        case .storeUnavailable: self = .storeUnavailable(message: try record.required("message"))
        case .storeLocked: self = .storeLocked(message: try record.required("message"))
        case .internal: self = .internal(message: try record.required("message"))
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("kind", word.rawValue)
        switch self {
        case .denied(let error, let description):
            record.set("error", error)
            record.set("description", description)
        case .timedOut, .cancelled: break
        case .ownerEnded(let isSignedOut): record.set("isSignedOut", isSignedOut)
        case .exchangeFailed(let error, let description, let message):
            record.set("error", error)
            record.set("description", description)
            record.set("message", message)
        case .requestRejected(let error, let description, let message):
            record.set("error", error)
            record.set("description", description)
            record.set("message", message)
        case .invalidIDToken(let reason): record.set("reason", reason)
        case .otherAccount(let asked, let signedIn):
            record.set("asked", asked)
            record.set("signedIn", signedIn)
        case .unreachable(let message), .foreignAnswer(let message), .providerNotConfigured(let message), .scopeRejected(let message),
            .storeUnavailable(let message), .storeLocked(let message), .internal(let message):
            record.set("message", message)
        }
        return record
    }

    private var word: Word {
        switch self {
        case .denied: .denied
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .ownerEnded: .ownerEnded
        case .exchangeFailed: .exchangeFailed
        case .foreignAnswer: .foreignAnswer
        case .unreachable: .unreachable
        case .invalidIDToken: .invalidIDToken
        case .otherAccount: .otherAccount
        case .providerNotConfigured: .providerNotConfigured
        case .scopeRejected: .scopeRejected
        case .requestRejected: .requestRejected
        case .storeUnavailable: .storeUnavailable
        case .storeLocked: .storeLocked
        case .internal: .internal
        }
    }
}
