import StrictJSON

/// Asking an authorization server for a client (RFC 7591 section 3, OpenID Connect Dynamic Client Registration section 3).
public enum ClientRegistrationRequest {
    static let clientName = "Postern"

    /// - Parameters:
    ///   - metadata: for how the client may prove itself; nil where the provider is not discovered.
    ///   - redirectURI: where its answers go, byte for byte.
    ///   - signedOutURI: where the browser comes back to when a session was ended.
    /// - Throws: ``ProviderProblem`` where nobody says where to ask, or no way to prove itself is common.
    public static func request(
        for provider: Provider, metadata: ProviderMetadata?, redirectURI: String, signedOutURI: String? = nil
    ) throws(ProviderProblem) -> ProviderRequest {
        let endpoint: EndpointURL
        if let configured = provider.endpoints.registration {
            do throws(EndpointURLError) { endpoint = try EndpointURL(configured) } catch { throw .endpointInvalid(.registration, error) }
        } else if let discovered = metadata?.registration {
            endpoint = discovered
        } else {
            throw .endpointMissing(.registration)
        }
        var document: JSONObject = [
            "client_name": .string(clientName), "application_type": "native", "redirect_uris": [.string(redirectURI)],
            "response_types": ["code"], "grant_types": .array(grantTypes(of: provider, metadata: metadata)),
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

    /// Many servers give the device flow to no client that has not named it here. Others have another name for it (glewlwyd), and refuse a
    /// registration with one that they do not know: so only where the metadata, or the configuration in their place, have it.
    private static func grantTypes(of provider: Provider, metadata: ProviderMetadata?) -> [JSON] {
        let usual: [JSON] = ["authorization_code", "refresh_token"]
        let isOffered = metadata.map { $0.grantTypes?.contains(DeviceRequest.grantType) == true } ?? true
        guard isOffered, provider.hasDeviceFlow(metadata: metadata) == true else { return usual }
        return usual + [.string(DeviceRequest.grantType)]
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
