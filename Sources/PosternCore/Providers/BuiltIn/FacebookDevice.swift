import StrictJSON

/// Facebook's own device flow: older than RFC 8628, and similar. For the dialect of the Graph API, whose four functions of
/// ``DeviceDialect`` these are.
///
/// The client sends a client token instead of a secret: `app ID|client token`, as an access token.
public enum FacebookDevice {
    /// The key of the client token in the configuration, and in ``Provider/secrets``.
    public static let clientToken = "client-token"

    /// `POST …/device/login`.
    public static func authorizationRequest(
        scopes: [String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest {
        let scope = scopes.isEmpty ? [] : [(name: "scope", value: provider.dialect.encodeScopes(scopes))]
        return request([("access_token", accessToken(of: provider))] + scope, to: endpoint.text)
    }

    /// The answer calls the device code `code`.
    public static func authorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization {
        try DeviceAuthorization(response, members: .init(deviceCode: "code"), at: provider, sentAt: sentAt, now: now)
    }

    /// `POST …/device/login_status`, next to the endpoint that issued the code.
    public static func tokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        let url = provider.deviceAuthorization.map { $0.dropping(suffix: "/login") ?? $0.text } ?? provider.token.text
        return request([("access_token", accessToken(of: provider)), ("code", code.reveal())], to: "\(url)/login_status")
    }

    /// Errors are distinguished by their subcode. Tokens have no type, and their scopes are those requested.
    public static func answer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey? = nil
    ) -> DeviceAnswer {
        guard response.body.count <= TokenResponse.mostBytes, var members = (try? JSON(parsing: response.body))?.objectValue else {
            return DeviceAnswer(response, at: provider, scopes: scopes, sentAt: sentAt, now: now, proofKey: proofKey)
        }
        if let error = members["error"]?.objectValue, case .integer(let subcode)? = error["error_subcode"] {
            switch subcode {
            case 1_349_174: return .pending
            case 1_349_172: return .slowDown(intervalSeconds: nil)
            case 1_349_152: return .expired
            case 1_349_173: return .denied(error: "access_denied", description: text(error["message"]))
            default: break
            }
        }
        var whole = response
        if members["access_token"] != nil, members["token_type"] == nil {
            members["token_type"] = "bearer"
            whole.body = members.serialized
        }
        return DeviceAnswer(whole, at: provider, scopes: scopes, sentAt: sentAt, now: now, proofKey: proofKey)
    }

    private static func accessToken(of provider: ResolvedProvider) -> String {
        "\(provider.clientID)|\(provider.provider.secrets[clientToken]?.reveal() ?? "")"
    }

    private static func request(_ pairs: [(name: String, value: String)], to url: String) -> ProviderRequest {
        ProviderRequest(
            method: "POST", url: url,
            headers: [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")],
            body: PercentEncoding.form(pairs))
    }

    private static func text(_ json: JSON?) -> String? {
        json?.stringValue.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) }
    }
}
