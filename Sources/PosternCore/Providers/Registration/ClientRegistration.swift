import StrictJSON

/// Requests a client from an authorization server (RFC 7591 section 3, OpenID Connect Dynamic Client Registration section 3).
public enum ClientRegistrationRequest {
    static let clientName = "Postern"

    /// - Parameters:
    ///   - metadata: for how the client may authenticate; nil if the provider is not discovered.
    ///   - redirectURI: where its answers are sent, byte for byte.
    ///   - signedOutURI: where the browser returns to after the end of a session.
    ///   - scopes: those that the client may request.
    ///   - namesDeviceFlow: the requested grant types include it.
    /// - Throws: ``ProviderProblem`` if no endpoint is known, or there is no common authentication method.
    public static func request(
        for provider: Provider, metadata: ProviderMetadata?, redirectURI: String, signedOutURI: String? = nil, scopes: [String],
        namesDeviceFlow: Bool = false
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
        // Some servers grant a client only what it named here.
        if !scopes.isEmpty { document["scope"] = .string(provider.dialect.encodeScopes(scopes)) }
        if let signedOutURI, provider.extensions.returnsFromEndSession { document["post_logout_redirect_uris"] = [.string(signedOutURI)] }
        if provider.extensions.usesDPoP { document["dpop_bound_access_tokens"] = true }
        return ProviderRequest(
            method: "POST", url: endpoint.text, headers: [("Accept", "application/json"), ("Content-Type", "application/json")],
            body: JSON.object(document).serialized)
    }

    /// Many servers allow the device flow only to clients that named it here.
    public static func namesDeviceFlow(for provider: Provider, metadata: ProviderMetadata?) -> Bool {
        provider.hasDeviceFlow(metadata: metadata) == true
    }

    /// A secret of this installation alone, if the server issues one (RFC 8252 section 8.4), which it does unless it says otherwise.
    ///
    /// Not where an MCP server's issuer lists `none`: everybody registers there, so a secret proves nothing. One that it issues anyway goes
    /// into the form if possible: beside HTTP Basic some want `client_id` in the form, and others refuse it. Elsewhere `none` is no first
    /// choice: glewlwyd registers such a client, and refuses it later.
    public static func authentication(of provider: Provider, metadata: ProviderMetadata?) throws(ProviderProblem) -> ClientAuthentication {
        if let configured = provider.clientAuthentication { return configured }
        guard let offered = metadata?.clientAuthenticationMethods else { return .clientSecretBasic }
        var methods = [ClientAuthentication.clientSecretBasic, .clientSecretPost, .none]
        if provider.server != nil { methods.reverse() }
        for method in methods where offered.contains(method.rawValue) {
            return method
        }
        throw .noCommonClientAuthentication(offered: ProviderText.cleaned(names: offered))
    }
}

/// The scopes that a client is registered for. Many servers let it request no others, so a sign-in that needs more later would fail.
public enum ClientScopes {
    static let most = 128
    /// In bytes, with a blank after each.
    static let longest = 4096

    /// Those that are requested, and all that the issuer lists, or else the resource. Bounded, but for those that are requested.
    public static func wanted(for provider: Provider, metadata: ProviderMetadata?) -> [String] {
        var scopes = requested(for: provider, metadata: metadata)
        var length = scopes.reduce(0) { $0 + $1.utf8.count + 1 }
        for scope in metadata?.scopesSupported ?? provider.resourceScopes where Scopes.isValid(scope) && !scopes.contains(scope) {
            length += scope.utf8.count + 1
            guard scopes.count < most, length <= longest else { break }
            scopes.append(scope)
        }
        return scopes
    }

    /// Those that a sign-in requests if nobody names any. Some servers refuse to register others.
    public static func requested(for provider: Provider, metadata: ProviderMetadata?) -> [String] {
        let isAdded = provider.takesOfflineAccess(metadata: metadata) && !provider.scopes.contains(OfflineAccess.scope)
        return isAdded ? provider.scopes + [OfflineAccess.scope] : provider.scopes
    }
}

/// Why a registration brought no client.
public enum ClientRegistrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// RFC 7591 section 3.2.2.
    case refused(OAuthRefusal)
    case transient(TransientFailure)
    case tooLarge(limit: Int)
    case notJSON(AnswerBodyFlaw)
    case notAnObject(found: String)
    case member(JSONMemberError)
    /// An ID or secret that is too long or contains what no header or form may contain.
    case invalidText(member: String)
    /// It registered other redirect URIs than ours, so that no answer would arrive here.
    case otherRedirectURIs
    /// Cleaned for display.
    case unknownAuthentication(String)
    case secretMissing
    /// The configuration names an authentication method, and the server another one.
    case otherAuthentication(ClientAuthentication)

    public var description: String {
        switch self {
        case .refused(let refusal): "it refused to register a client: \(refusal)"
        case .transient(let failure): "it could not register a client: \(failure)"
        case .tooLarge(let limit): "its answer to the registration is larger than \(limit) bytes"
        case .notJSON(let error): "its answer to the registration is \(error)"
        case .notAnObject(let found): "its answer to the registration must be an object, but is \(found)"
        case .member(let error): "in its answer to the registration \(error)"
        case .invalidText(let member): "in its answer to the registration \(member) is too long or has characters that are not allowed"
        case .otherRedirectURIs: "it registered a client whose redirect_uris do not include ours, so no answer would arrive here"
        case .unknownAuthentication(let name):
            "it registered a client that authenticates by \(name), but Postern supports only "
                + ClientAuthentication.allCases.map(\.rawValue).joined(separator: ", ")
        case .otherAuthentication(let method):
            "it registered a client that authenticates by \(method.rawValue), but client-authentication says otherwise; "
                + "change or remove that"
        case .secretMissing: "it registered a client that authenticates by a secret, but gave none"
        }
    }

    /// - Parameter name: the provider's, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        if case .transient = self { return .unreachable(message: "\(name): \(self)") }
        return .providerNotConfigured(message: "\(name): \(self)")
    }
}

extension RegisteredClient {
    /// More than any answer needs, which repeats the request.
    public static let mostBytes = 64 * 1024
    static let longestID = 1024
    static let longestSecret = 4096

    /// Reads the server's answer: 201, or 200 from some.
    ///
    /// - Parameters:
    ///   - scopes: as in the request.
    ///   - asked: the requested authentication method; the server may have chosen another one (section 3.2.1).
    public init(
        from response: ProviderResponse, of provider: Provider, scopes: [String], redirectURI: String, asked: ClientAuthentication,
        now: Timestamp
    ) throws(ClientRegistrationError) {
        if let failure = TransientFailure(response, now: now) { throw .transient(failure) }
        guard response.status == 200 || response.status == 201 else { throw .refused(OAuthRefusal(inErrorAnswer: response)) }
        guard response.body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: response.body) } catch { throw .notJSON(error) }
        guard case .object(var document) = json else { throw .notAnObject(found: json.typeName) }
        // Some servers echo what they don't have as null or an empty text.
        for name in ["client_secret", "redirect_uris", "token_endpoint_auth_method", "client_secret_expires_at"]
        where document[name] == .null || document[name] == "" {
            document[name] = nil
        }

        let id: String
        let secret: String?
        let redirectURIs: [String]?
        let method: String?
        let expiresAt: Timestamp?
        do throws(JSONMemberError) {
            id = try document.required("client_id")
            secret = try document.optional("client_secret")
            redirectURIs = try document.optional("redirect_uris")
            method = try document.optional("token_endpoint_auth_method")
            expiresAt = try document.numericDate("client_secret_expires_at")
        } catch {
            throw .member(error)
        }
        guard Self.isText(id, longest: Self.longestID) else { throw .invalidText(member: "client_id") }
        if let secret, !secret.isEmpty, !Self.isText(secret, longest: Self.longestSecret) { throw .invalidText(member: "client_secret") }
        if let redirectURIs, !redirectURIs.contains(where: { $0.utf8.elementsEqual(redirectURI.utf8) }) { throw .otherRedirectURIs }
        let authentication = try method.map(Self.authentication) ?? asked
        // If it were accepted, it would not be found at the next sign-in, and each would register another one.
        if let configured = provider.clientAuthentication, configured != authentication { throw .otherAuthentication(authentication) }
        let hasSecret = secret?.isEmpty == false
        guard hasSecret || authentication == .none else { throw .secretMissing }
        self.init(
            providerID: provider.id, registrar: provider.registrar, redirectURI: redirectURI,
            scopes: scopes, returnsFromEndSession: provider.extensions.returnsFromEndSession, clientID: id,
            // A secret that a public client was issued anyway is sent to nobody.
            clientSecret: authentication == .none ? nil : secret.map { Secret($0) }, authentication: authentication,
            // 0 is a secret without an expiry.
            secretExpiresAt: authentication == .none ? nil : expiresAt.flatMap { $0.seconds > 0 ? $0 : nil })
    }

    private static func authentication(_ name: String) throws(ClientRegistrationError) -> ClientAuthentication {
        guard let method = ClientAuthentication(rawValue: name) else {
            throw .unknownAuthentication(ProviderText.cleaned(name, longest: 64) ?? "nothing")
        }
        return method
    }

    /// RFC 6749 appendices A.1 and A.2: printable ASCII.
    static func isText(_ text: String, longest: Int) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
