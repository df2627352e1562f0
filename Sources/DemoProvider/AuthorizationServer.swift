import PosternCore

/// What the provider knows and decides. It is asked on one event loop; time comes in as an argument.
struct AuthorizationServer: Sendable {
    static let scopes = ["openid", "profile", "email", "offline_access"]
    static let codeSeconds: Int64 = 60

    let options: DemoProviderOptions
    let issuer: String
    var keys: KeyRing
    /// Consent pages that wait for an answer.
    var pending = ExpiringTable<AuthorizationRequest>(capacity: 256, seconds: 600)
    /// Kept longer than they are good for, to know a replay.
    var codes = ExpiringTable<IssuedCode>(capacity: 1024, seconds: 600)
    /// Programs that wait for their person on another device, by device code; kept longer than they are good for, to say so.
    var devices: ExpiringTable<DeviceRequest>
    /// Codes for people to type, and the device code of each.
    var userCodes: ExpiringTable<String>
    var families = ExpiringTable<TokenFamily>(capacity: 4096, seconds: 86_400)
    /// Each refresh token that was ever given out, and its family.
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

    func client(_ id: String) -> DemoClient? { options.clients.first { $0.id == id } }
}
