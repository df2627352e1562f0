import PosternCore
import StrictJSON

/// The part of a session that is fixed when it begins, without the id, which has its own column.
extension SignInSession: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            id: "", request: members("question", \.request), binding: members("binding", \.binding),
            requester: members("requester", \.requester), isShownByClient: members("isShownByClient", \.isShownByClient),
            startedAt: members("startedAt", \.startedAt), redirectURI: members("redirectURI", \.redirectURI),
            relayedTo: members("relayedTo", \.relayedTo), pageID: members("pageID", \.pageID))
    }
}

/// What a session needs until its code is sent, and not after that: stored separately, so that it can be removed at once.
struct SessionFlowSecrets {
    let flow: FlowSecrets
    let device: DeviceAuthorization?
}

extension SessionFlowSecrets: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        flow = try FlowSecrets(
            codeVerifier: members("codeVerifier", \.flow.codeVerifier), nonce: members("nonce", \.flow.nonce),
            proofKey: members("proofKey", \.flow.proofKey), requestTokens: members("requestTokens", \.flow.requestTokens))
        device = try members("device", \.device)
    }
}

extension SignInRequest: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            providerID: members("providerID", \.providerID), intent: members("intent", \.intent), app: members("app", \.app),
            scopes: members("scopes", \.scopes), hasUsualScopes: members("hasUsualScopes", \.hasUsualScopes, usually: false),
            parameters: members("parameters", \.parameters), loginHint: members("loginHint", \.loginHint),
            account: members("account", \.account), login: members("login", \.login),
            owner: members("owner", \.owner), stepUp: members("stepUp", \.stepUp))
    }
}

extension StepUp: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            subject: members("subject", \.subject), missing: members("missing", \.missing), granted: members("granted", \.granted),
            requested: members("requested", \.requested),
            authenticationClasses: members("authenticationClasses", \.authenticationClasses),
            longestSinceAuthentication: members("longestSinceAuthentication", \.longestSinceAuthentication))
    }
}

extension Intent: Stored {}
