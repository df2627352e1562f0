import StrictJSON

/// Facebook's own device flow: older than RFC 8628, and similar.
///
/// The client sends a client token instead of a secret: `app ID|client token`, as an access token.
extension Facebook {
    /// The key of the client token in the configuration, and in ``Provider/secrets``.
    static let clientToken = "client-token"

    /// `POST …/device/login`.
    public func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest {
        let scope = scopes.isEmpty ? [] : [(name: "scope", value: encodeScopes(scopes))]
        return Self.request([("access_token", Self.accessToken(of: provider))] + scope, to: endpoint.text)
    }

    /// The answer calls the device code `code`.
    public func deviceAuthorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization {
        try DeviceAuthorization(response, deviceCode: "code", at: provider, sentAt: sentAt, now: now)
    }

    /// `POST …/device/login_status`, next to the endpoint that issued the code.
    public func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        let url = provider.deviceAuthorization.map { $0.dropping(suffix: "/login") ?? $0.text } ?? provider.token.text
        return Self.request([("access_token", Self.accessToken(of: provider)), ("code", code.reveal())], to: "\(url)/login_status")
    }

    /// Errors are distinguished by their subcode. Tokens have no type, and their scopes are those requested.
    public func deviceAnswer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey?
    ) -> DeviceAnswer {
        var whole = response
        if var members = response.members {
            if let error = GraphError(in: members, status: response.status), let subcode = error.subcode {
                switch subcode {
                case 1_349_174: return .pending
                case 1_349_172: return .slowDown(intervalSeconds: nil)
                case 1_349_152: return .expired
                case 1_349_173: return .denied(error: "access_denied", description: error.message)
                default: break
                }
            }
            if members["access_token"] != nil, members["token_type"] == nil {
                members["token_type"] = "bearer"
                whole.body = members.serialized
            }
        }
        return DeviceAnswer(whole, at: provider, scopes: scopes, sentAt: sentAt, now: now, proofKey: proofKey)
    }

    private static func accessToken(of provider: ResolvedProvider) -> String {
        "\(provider.clientID)|\(provider.provider.secrets[clientToken]?.reveal() ?? "")"
    }

    static func request(_ pairs: [(name: String, value: String)], to url: String) -> ProviderRequest {
        ProviderRequest(method: "POST", url: url, headers: [("Accept", "application/json")]).withForm(pairs)
    }
}
