/// The two requests of the device flow.
public enum DeviceRequest {
    /// `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 section 3.4).
    public static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Requests a code to show (section 3.1). The form names the client even if the header does: several servers read it only there.
    ///
    /// - Parameters:
    ///   - parameters: further ones.
    ///   - isAuthenticated: a client that has a secret sends it, as the section requires.
    public static func authorization(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider, isAuthenticated: Bool
    ) -> ProviderRequest {
        var client = ClientCredentials(of: provider)
        if !isAuthenticated { client = .none }
        client.parameters.removeAll { $0.name == "client_id" }
        var pairs: [(name: String, value: String)] = [("client_id", provider.clientID)]
        if !scopes.isEmpty { pairs.append(("scope", provider.dialect.encodeScopes(scopes))) }
        pairs += resources(of: provider)
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { pairs.append((name, value)) }
        return .form(pairs, to: endpoint, from: client)
    }

    /// Asks whether the user has answered (section 3.4).
    public static func token(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        token(for: code, at: provider, from: ClientCredentials(of: provider))
    }

    static func token(for code: Secret, at provider: ResolvedProvider, from client: ClientCredentials) -> ProviderRequest {
        .form(
            [("grant_type", grantType), ("device_code", code.reveal())] + resources(of: provider), to: provider.token, from: client)
    }

    /// The services that the token is for (RFC 8707): sent before the user agrees, and again when the token is requested.
    private static func resources(of provider: ResolvedProvider) -> [(name: String, value: String)] {
        provider.provider.extensions.resources.map { ("resource", $0) }
    }
}
