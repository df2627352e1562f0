import PosternCore
import StrictJSON

/// What of a session is settled when it begins.
struct SessionRequest: Record {
    let question: SignInQuestion
    let binding: ProviderBinding
    let requester: String
    let isShownByClient: Bool
    let startedAt: Timestamp
    let redirectURI: String
    let relayedTo: String?
    let pageID: String

    init(_ session: SignInSession) {
        question = session.question
        binding = session.binding
        requester = session.requester
        isShownByClient = session.isShownByClient
        startedAt = session.startedAt
        redirectURI = session.redirectURI
        relayedTo = session.relayedTo
        pageID = session.pageID
    }

    init(record: JSONObject) throws(JSONMemberError) {
        question = try record.requiredRecord("question")
        binding = try record.requiredRecord("binding")
        requester = try record.required("requester")
        isShownByClient = try record.required("isShownByClient")
        startedAt = try record.requiredMoment("startedAt")
        redirectURI = try record.required("redirectURI")
        relayedTo = try record.optional("relayedTo")
        pageID = try record.required("pageID")
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("question", record: question)
        record.set("binding", record: binding)
        record.set("requester", requester)
        record.set("isShownByClient", isShownByClient)
        record.set("startedAt", moment: startedAt)
        record.set("redirectURI", redirectURI)
        record.set("relayedTo", relayedTo)
        record.set("pageID", pageID)
        return record
    }
}

/// What a session needs until its code is sent, and nobody after that: kept apart, so that it can be removed at once.
struct SessionFlowSecrets: Record {
    let codeVerifier: Secret
    let nonce: Secret?
    let proofKey: DPoPKey?
    let device: DeviceAuthorization?
    let requestTokens: [OAuth1Token]

    init(_ session: SignInSession) {
        codeVerifier = session.codeVerifier
        nonce = session.nonce
        proofKey = session.proofKey
        device = session.device
        requestTokens = session.requestTokens
    }

    init(record: JSONObject) throws(JSONMemberError) {
        codeVerifier = try record.requiredSecret("codeVerifier")
        nonce = try record.optionalSecret("nonce")
        proofKey = try record.optionalRecord("proofKey")
        device = try record.optionalRecord("device")
        // Sessions of versions before have no such member.
        requestTokens = record["requestTokens"] == nil ? [] : try record.requiredRecords("requestTokens")
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("codeVerifier", secret: codeVerifier)
        record.set("nonce", secret: nonce)
        record.set("proofKey", record: proofKey)
        record.set("device", record: device)
        record.set("requestTokens", requestTokens.map(\.record))
        return record
    }
}
