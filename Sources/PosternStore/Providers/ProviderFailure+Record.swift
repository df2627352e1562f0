import PosternCore
import StrictJSON

extension ProviderFailure: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let kind = Kind(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is unknown"))
        }
        self =
            switch kind {
            case .denied: .denied(error: try record.required("error"), description: try record.optional("description"))
            case .exchangeFailed:
                .exchangeFailed(
                    error: try record.optional("error"), description: try record.optional("description"),
                    message: try record.required("message"))
            case .requestRejected:
                .requestRejected(
                    error: try record.required("error"), description: try record.optional("description"),
                    message: try record.required("message"))
            case .invalidIDToken: .invalidIDToken(reason: try record.required("reason"))
            case .foreignAnswer: .foreignAnswer(message: try record.required("message"))
            case .unreachable: .unreachable(message: try record.required("message"))
            case .providerNotConfigured: .providerNotConfigured(message: try record.required("message"))
            case .scopeRejected: .scopeRejected(message: try record.required("message"))
            case .storeUnavailable: .storeUnavailable(message: try record.required("message"))
            case .storeLocked: .storeLocked(message: try record.required("message"))
            case .internal: .internal(message: try record.required("message"))
            }
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("kind", kind.rawValue)
        switch self {
        case .denied(let error, let description):
            record.set("error", error)
            record.set("description", description)
        case .exchangeFailed(let error, let description, let message):
            record.set("error", error)
            record.set("description", description)
            record.set("message", message)
        case .requestRejected(let error, let description, let message):
            record.set("error", error)
            record.set("description", description)
            record.set("message", message)
        case .invalidIDToken(let reason): record.set("reason", reason)
        case .unreachable(let message), .foreignAnswer(let message), .providerNotConfigured(let message), .scopeRejected(let message),
            .storeUnavailable(let message), .storeLocked(let message), .internal(let message):
            record.set("message", message)
        }
        return record
    }
}
