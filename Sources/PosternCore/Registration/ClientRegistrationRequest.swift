import StrictJSON

/// Asking an authorization server for a client (RFC 7591 section 3, OpenID Connect Dynamic Client Registration section 3).
public enum ClientRegistrationRequest {
    static let clientName = "Postern"

    /// - Parameters:
    ///   - metadata: for how the client may prove itself; nil where the provider is not discovered.
    ///   - redirectURI: where its answers go, byte for byte.
    ///   - signedOutURI: where the browser comes back to when a session was ended.
    ///   - namesDeviceFlow: the grant is among those asked for.
    /// - Throws: ``ProviderProblem`` where nobody says where to ask, or no way to prove itself is common.
    public static func request(
        for provider: Provider, metadata: ProviderMetadata?, redirectURI: String, signedOutURI: String? = nil, namesDeviceFlow: Bool = false
    ) throws(ProviderProblem) -> ProviderRequest {
        let endpoint: EndpointURL
        if let configured = provider.endpoints.registration {
            do throws(EndpointURLError) { endpoint = try EndpointURL(configured) } catch { throw .endpointInvalid(.registration, error) }
        } else if let discovered = metadata?.registration {
            endpoint = discovered
        } else {
            throw .endpointMissing(.registration)
        }
        let grants: [JSON] = ["authorization_code", "refresh_token"] + (namesDeviceFlow ? [.string(DeviceRequest.grantType)] : [])
        var document: JSONObject = [
            "client_name": .string(clientName), "application_type": "native", "redirect_uris": [.string(redirectURI)],
            "response_types": ["code"], "grant_types": .array(grants),
            "token_endpoint_auth_method": .string(try authentication(of: provider, metadata: metadata).rawValue),
        ]
        // Some servers grant a client nothing but what it named here.
        if !provider.scopes.isEmpty { document["scope"] = .string(provider.dialect.encodeScopes(provider.scopes)) }
        if let signedOutURI, provider.extensions.returnsFromEndSession { document["post_logout_redirect_uris"] = [.string(signedOutURI)] }
        if provider.extensions.usesDPoP { document["dpop_bound_access_tokens"] = true }
        return ProviderRequest(
            method: "POST", url: endpoint.text, headers: [("Accept", "application/json"), ("Content-Type", "application/json")],
            body: JSON.object(document).serialized)
    }

    /// Many servers give the device flow to no client that has not named it here.
    public static func namesDeviceFlow(for provider: Provider, metadata: ProviderMetadata?) -> Bool {
        provider.hasDeviceFlow(metadata: metadata) == true
    }

    /// A secret of this installation alone, where the server gives one (RFC 8252 section 8.4); a server that is silent does.
    public static func authentication(of provider: Provider, metadata: ProviderMetadata?) throws(ProviderProblem) -> ClientAuthentication {
        if let configured = provider.clientAuthentication { return configured }
        guard let offered = metadata?.clientAuthenticationMethods else { return .clientSecretBasic }
        for method in [ClientAuthentication.clientSecretBasic, .clientSecretPost, .none] where offered.contains(method.rawValue) {
            return method
        }
        throw .noCommonClientAuthentication(offered: offered.prefix(8).compactMap { ProviderText.cleaned($0, longest: 64) })
    }
}
