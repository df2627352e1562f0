import PosternCore
import StrictJSON

extension RegisteredClient: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            providerID: members("providerID", \.providerID), registrar: members("registrar", \.registrar),
            redirectURI: members("redirectURI", \.redirectURI), scopes: members("scopes", \.scopes),
            returnsFromEndSession: members("returnsFromEndSession", \.returnsFromEndSession), clientID: members("clientID", \.clientID),
            clientSecret: members("clientSecret", \.clientSecret), authentication: members("authentication", \.authentication),
            secretExpiresAt: members("secretExpiresAt", \.secretExpiresAt))
    }
}

extension ClientAuthentication: Stored {}

/// All of them, in the one setting that stores them.
struct RegisteredClients { let clients: [RegisteredClient] }

extension RegisteredClients: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) { self.init(clients: try members("clients", \.clients)) }
}
