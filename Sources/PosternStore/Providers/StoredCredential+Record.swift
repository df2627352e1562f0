import PosternCore
import StrictJSON

/// Without the generation, which has its own column, so that a statement can compare it.
extension StoredCredential: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            providerID: members("providerID", \.providerID), subject: members("subject", \.subject),
            displayName: members("displayName", \.displayName), email: members("email", \.email),
            emailVerified: members("emailVerified", \.emailVerified), username: members("username", \.username),
            signedInAs: members("signedInAs", \.signedInAs), lostScopes: members("lostScopes", \.lostScopes, usually: []),
            binding: members("binding", \.binding), grant: members("grant", \.grant),
            keepers: members("keepers", \.keepers, usually: .person), generation: 0)
    }
}

extension CredentialKeepers: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(isPerson: members("isPerson", \.isPerson), apps: members("apps", \.apps))
    }
}

extension SignInName: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(name: members("name", \.name), at: members("at", \.at), login: members("login", \.login))
    }
}

extension AccountLogin: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        self.init(try members("text", \.text), kind: try members("kind", \.kind))
    }
}

extension AccountLogin.Kind: Stored {}

extension Grant: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            accessToken: members("accessToken", \.accessToken), tokenType: members("tokenType", \.tokenType),
            expiresAt: members("expiresAt", \.expiresAt), refreshToken: members("refreshToken", \.refreshToken),
            refreshTokenExpiresAt: members("refreshTokenExpiresAt", \.refreshTokenExpiresAt),
            refreshTokenSince: members("refreshTokenSince", \.refreshTokenSince),
            refreshTokenSentAt: members("refreshTokenSentAt", \.refreshTokenSentAt), idToken: members("idToken", \.idToken),
            idTokenOfRefreshToken: members("idTokenOfRefreshToken", \.idTokenOfRefreshToken), scopes: members("scopes", \.scopes),
            requestedScopes: members("requestedScopes", \.requestedScopes, usually: []),
            authenticationClasses: members("authenticationClasses", \.authenticationClasses, usually: []),
            provedClass: members("provedClass", \.provedClass),
            resources: members("resources", \.resources, usually: []),
            parameters: members("parameters", \.parameters, usually: [:]), obtainedAt: members("obtainedAt", \.obtainedAt),
            tokenHost: members("tokenHost", \.tokenHost), proofKey: members("proofKey", \.proofKey),
            tokenSecret: members("tokenSecret", \.tokenSecret))
    }
}

/// As a person writes it.
extension EndpointHost: Stored {
    init(stored: JSON) throws(JSONMemberError) {
        guard let host = EndpointHost(written: try String(json: stored)) else {
            throw JSONMemberError(path: "", reason: .notAllowed("must be a host"))
        }
        self = host
    }
    var stored: JSON? { .string(description) }
}

extension ProviderBinding: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            clientID: members("clientID", \.clientID), authority: members("authority", \.authority),
            tokenOrigin: members("tokenOrigin", \.tokenOrigin), resource: members("resource", \.resource),
            server: members("server", \.server))
    }
}

extension DPoPKey: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        let key = try DPoPKey(privateKeyPEM: members("privateKeyPEM", \.privateKeyPEM), x: members("x", \.x), y: members("y", \.y))
        guard let key else { throw JSONMemberError(path: "x", reason: .notAllowed("must have 32 bytes, as must y")) }
        self = key
    }
}
