import PosternCore
import StrictJSON

extension ProviderFailure: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self =
            switch try record.value("kind", as: Kind.self) {
            case .denied: .denied(error: try record.value("error"), description: try record.value("description"))
            case .exchangeFailed:
                .exchangeFailed(
                    error: try record.value("error"), description: try record.value("description"), message: try record.value("message"))
            case .requestRejected:
                .requestRejected(
                    error: try record.value("error"), description: try record.value("description"), message: try record.value("message"))
            case .invalidIDToken: .invalidIDToken(reason: try record.value("reason"))
            case .foreignAnswer: .foreignAnswer(message: try record.value("message"))
            case .unreachable: .unreachable(message: try record.value("message"))
            case .providerNotConfigured: .providerNotConfigured(message: try record.value("message"))
            case .scopeRejected: .scopeRejected(message: try record.value("message"))
            case .storeUnavailable: .storeUnavailable(message: try record.value("message"))
            case .storeLocked: .storeLocked(message: try record.value("message"))
            case .internal: .internal(message: try record.value("message"))
            }
    }

    var record: JSONObject {
        switch self {
        case .denied(let error, let description): JSONObject(stored: ["kind": kind, "error": error, "description": description])
        case .exchangeFailed(let error, let description, let message):
            JSONObject(stored: ["kind": kind, "error": error, "description": description, "message": message])
        case .requestRejected(let error, let description, let message):
            JSONObject(stored: ["kind": kind, "error": error, "description": description, "message": message])
        case .invalidIDToken(let reason): JSONObject(stored: ["kind": kind, "reason": reason])
        case .unreachable(let message), .foreignAnswer(let message), .providerNotConfigured(let message), .scopeRejected(let message),
            .storeUnavailable(let message), .storeLocked(let message), .internal(let message):
            JSONObject(stored: ["kind": kind, "message": message])
        }
    }
}

extension ProviderFailure.Kind: Stored {}
