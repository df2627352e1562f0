import PosternCore
import StrictJSON

/// What of a session is settled when it begins; its id stands beside it.
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
            id: "", question: try record.requiredRecord("question"), binding: try record.requiredRecord("binding"),
            requester: try record.required("requester"), isShownByClient: try record.required("isShownByClient"),
            startedAt: try record.requiredMoment("startedAt"), redirectURI: try record.required("redirectURI"),
            relayedTo: try record.optional("relayedTo"), pageID: try record.required("pageID"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("question", record: session.question)
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

/// What a session needs until its code is sent, and nobody after that: kept apart, so that it can be removed at once.
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
            // Sessions of versions before have no such member.
            requestTokens: record["requestTokens"] == nil ? [] : try record.requiredRecords("requestTokens"))
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
