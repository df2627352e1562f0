import PosternCore
import StrictJSON

/// The part of a session that is fixed when it begins; its id is in another column.
struct SessionRequest: Record {
    private let session: SignInSession

    init(_ session: SignInSession) { self.session = session }

    func session(id: String) -> SignInSession {
        var session = session
        session.id = id
        return session
    }

    init(record: JSONObject) throws(JSONMemberError) {
        session = SignInSession(
            id: "", request: try record.requiredRecord("question"), binding: try record.requiredRecord("binding"),
            requester: try record.required("requester"), isShownByClient: try record.required("isShownByClient"),
            startedAt: try record.requiredMoment("startedAt"), redirectURI: try record.required("redirectURI"),
            relayedTo: try record.optional("relayedTo"), pageID: try record.required("pageID"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("question", record: session.request)
        record.set("binding", record: session.binding)
        record.set("requester", session.requester)
        record.set("isShownByClient", session.isShownByClient)
        record.set("startedAt", moment: session.startedAt)
        record.set("redirectURI", session.redirectURI)
        record.set("relayedTo", session.relayedTo)
        record.set("pageID", session.pageID)
        return record
    }
}

/// What a session needs until its code is sent, and not after that: stored separately, so that it can be removed at once.
struct SessionFlowSecrets: Record {
    let flow: FlowSecrets
    let device: DeviceAuthorization?

    init(_ flow: FlowSecrets, _ device: DeviceAuthorization?) {
        self.flow = flow
        self.device = device
    }

    init(record: JSONObject) throws(JSONMemberError) {
        flow = FlowSecrets(
            codeVerifier: try record.requiredSecret("codeVerifier"), nonce: try record.optionalSecret("nonce"),
            proofKey: try record.optionalRecord("proofKey"),
            requestTokens: try record.requiredRecords("requestTokens"))
        device = try record.optionalRecord("device")
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("codeVerifier", secret: flow.codeVerifier)
        record.set("nonce", secret: flow.nonce)
        record.set("proofKey", record: flow.proofKey)
        record.set("device", record: device)
        record.set("requestTokens", flow.requestTokens.map(\.record))
        return record
    }
}

extension SignInRequest: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        let intent: String = try record.required("intent")
        guard let intent = Intent(rawValue: intent) else {
            throw JSONMemberError(path: "intent", reason: .notAllowed("is unknown"))
        }
        self.init(
            providerID: try record.required("providerID"), intent: intent, app: try record.required("app"),
            scopes: try record.required("scopes"), parameters: try record.required("parameters"),
            loginHint: try record.optional("loginHint"), account: try record.optional("account"), login: try record.optional("login"),
            owner: try record.optionalRecord("owner"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("intent", intent.rawValue)
        record.set("app", app)
        record.set("scopes", scopes)
        record.set("parameters", parameters)
        record.set("loginHint", loginHint)
        record.set("account", account)
        record.set("login", login)
        record.set("owner", record: owner)
        return record
    }
}
