import PosternValues

/// The provider's state and decisions. It is used on one event loop; the time is passed as an argument.
struct AuthorizationServer: Sendable {
    static let scopes = ["openid", "profile", "email", "offline_access", reportsScope]
    /// What the reports need, besides being signed in.
    static let reportsScope = "reports"
    /// The way to sign in that the vault needs (`acr`).
    static let vaultClass = "demo:twice"
    /// And how many seconds ago at most.
    static let vaultSeconds: Int64 = 300
    static let codeSeconds: Int64 = 60

    let options: DemoProviderOptions
    let issuer: String
    var keys: KeyRing
    /// Consent pages that wait for a response.
    var pending = ExpiringTable<AuthorizationRequest>(capacity: 256, seconds: 600)
    /// Kept longer than they are valid, to recognise a replay.
    var codes = ExpiringTable<IssuedCode>(capacity: 1024, seconds: 600)
    /// Programs that wait for the user on another device, by device code; kept longer than they are valid, to report expiry.
    var devices: ExpiringTable<DeviceRequest>
    /// User codes, and the device code of each.
    var userCodes: ExpiringTable<String>
    var families = ExpiringTable<TokenFamily>(capacity: 4096, seconds: 86_400)
    /// Every refresh token that was ever issued, with its family.
    var refreshTokens = ExpiringTable<String>(capacity: 16_384, seconds: 86_400)
    var accessTokens: ExpiringTable<AccessToken>

    init(options: DemoProviderOptions, issuer: String, keys: KeyRing) {
        self.options = options
        self.issuer = issuer
        self.keys = keys
        devices = ExpiringTable(capacity: 256, seconds: 2 * Int64(options.deviceCodeSeconds))
        userCodes = ExpiringTable(capacity: 256, seconds: Int64(options.deviceCodeSeconds))
        accessTokens = ExpiringTable(capacity: 16_384, seconds: Int64(options.accessTokenSeconds))
    }

    /// Those that are known here.
    static func scopes(in parameters: FormParameters) -> [String] {
        let asked = (parameters["scope"] ?? "").parts(separator: " ").map(String.init)
        return scopes.filter(asked.contains)
    }

    func client(_ id: String) -> DemoClient? { options.clients.first { $0.id == id } }
}

extension AuthorizationServer {
    /// A request that waits for the user, with the ID that the page's form will send.
    struct ConsentRequest {
        var requestID: String
        var request: AuthorizationRequest
    }

    enum Decision {
        case person(Person)
        case denied
    }

    mutating func ask(_ request: AuthorizationRequest, now: Timestamp) throws(OAuthError) -> ConsentRequest {
        let id = try RandomToken.make()
        pending.insert(request, under: id, now: now)
        return ConsentRequest(requestID: id, request: request)
    }

    /// Where the browser is redirected; nil if no such request waits: it was answered, has expired, or never existed.
    mutating func decide(_ requestID: String, _ decision: Decision, now: Timestamp) throws(OAuthError) -> String? {
        guard let request = pending.remove(requestID, now: now) else { return nil }
        switch decision {
        case .denied:
            return answer(
                to: request.redirectURI, state: request.state,
                [("error", "access_denied"), ("error_description", "the user denied access")])
        case .person(let person):
            let code = try RandomToken.make()
            let grant = ApprovedGrant(
                person: person, clientID: request.client.id, scopes: request.scopes, nonce: request.nonce, authenticatedAt: now,
                authenticationClass: request.authenticationClass)
            codes.insert(
                IssuedCode(grant: grant, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge, issuedAt: now),
                under: code,
                now: now)
            return answer(to: request.redirectURI, state: request.state, [("code", code)])
        }
    }

    /// The redirect URI with the response appended, including the issuer (RFC 9207 section 2).
    func answer(to redirectURI: String, state: String?, _ parameters: [(name: String, value: String)]) -> String {
        var parameters = parameters
        if let state { parameters.append(("state", state)) }
        parameters.append(("iss", issuer))
        let query = parameters.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return redirectURI + (redirectURI.unicodeScalars.contains("?") ? "&" : "?") + query
    }
}
