import StrictJSON

/// What a provider says about itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), as far as it is used here.
public struct ProviderMetadata: Sendable, Hashable {
    public static let mostBytes = 256 * 1024

    public var issuer: String
    public var authorization: EndpointURL?
    public var token: EndpointURL?
    public var userinfo: EndpointURL?
    public var revocation: EndpointURL?
    public var introspection: EndpointURL?
    public var deviceAuthorization: EndpointURL?
    public var jwks: EndpointURL?
    public var pushedAuthorization: EndpointURL?
    public var registration: EndpointURL?
    public var endSession: EndpointURL?
    /// `require_pushed_authorization_requests` (RFC 9126 section 5).
    public var requiresPushedAuthorization: Bool
    /// `dpop_signing_alg_values_supported` (RFC 9449 section 5.1); nil if the provider does not say.
    public var dpopAlgorithms: [String]?
    /// `token_endpoint_auth_methods_supported`; nil if the provider does not say.
    public var clientAuthenticationMethods: [String]?
    /// `authorization_response_iss_parameter_supported` (RFC 9207 section 3).
    public var announcesResponseIssuer: Bool
    /// Those of `id_token_signing_alg_values_supported` that we accept; nil if the provider does not say or names none of them.
    public var idTokenAlgorithms: Set<SignatureAlgorithm>?
    /// `response_modes_supported`; nil if the provider does not say.
    public var responseModes: [String]?
    /// Those of `scopes_supported` that are scopes, and not too many; nil if the provider does not say.
    public var scopesSupported: [String]?
    /// `scopes_supported` contains `offline_access`.
    public var listsOfflineAccess: Bool
    /// `code_challenge_methods_supported`; nil if the provider does not say.
    public var codeChallengeMethods: [String]?
    /// `client_id_metadata_document_supported`: a client ID may be the URL of a document that describes the client.
    public var takesClientDocuments: Bool
    /// There is no document: the endpoints are where MCP 2025-03-26 assumes them.
    public var isAssumed = false
    /// The lists that name nothing of ours.
    public var gaps: [MetadataGap]
    public var demands: Set<MetadataDemand>

    /// - Parameter expectedIssuer: the one configured; the document must name the same, byte for byte, or another provider's keys and
    ///   endpoints would be used in its name (Discovery section 4.3, RFC 8414 section 3.3).
    public init(parsing body: [UInt8], expectedIssuer: String) throws(MetadataError) {
        guard body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: body) } catch { throw .notJSON(error) }
        guard case .object(let document) = json else { throw .notAnObject(found: json.typeName) }

        issuer = try Members(document: document).required("issuer")
        guard issuer.utf8.elementsEqual(expectedIssuer.utf8) else {
            let found = ProviderText.cleaned(issuer, longest: ProviderText.longestName) ?? "nothing"
            throw .issuerMismatch(expected: expectedIssuer, found: found)
        }
        // A provider on the internet has no business with this machine's own services.
        let url = try? EndpointURL(issuer)
        let members = Members(
            document: document, mayBePlain: url?.scheme == .http, mayBeHere: url.map { LoopbackHost.isMeant(by: $0.host) } ?? false)
        authorization = try members.endpoint("authorization_endpoint")
        token = try members.endpoint("token_endpoint")
        userinfo = try members.endpoint("userinfo_endpoint")
        revocation = try members.endpoint("revocation_endpoint")
        deviceAuthorization = try members.endpoint("device_authorization_endpoint")
        jwks = try members.endpoint("jwks_uri")
        pushedAuthorization = try members.endpoint("pushed_authorization_request_endpoint")
        requiresPushedAuthorization = try members.optional("require_pushed_authorization_requests") ?? false
        // No sign-in of a configured client needs these, so errors in them stop none.
        registration = try? members.endpoint("registration_endpoint")
        introspection = try? members.endpoint("introspection_endpoint")
        endSession = try? members.endpoint("end_session_endpoint")
        dpopAlgorithms = try? members.optional("dpop_signing_alg_values_supported")
        clientAuthenticationMethods = try members.optional("token_endpoint_auth_methods_supported")
        announcesResponseIssuer = try members.optional("authorization_response_iss_parameter_supported") ?? false
        let algorithms: [String] = try members.optional("id_token_signing_alg_values_supported") ?? []
        let common = Set(algorithms.compactMap(SignatureAlgorithm.init(rawValue:)))
        idTokenAlgorithms = common.isEmpty ? nil : common
        responseModes = try? members.optional("response_modes_supported")
        let scopes: [String]? = try? members.optional("scopes_supported")
        scopesSupported = scopes.map { Scopes.bounded($0.filter(Scopes.isValid)) }
        listsOfflineAccess = scopes?.contains(OfflineAccess.scope) ?? false
        codeChallengeMethods = try? members.optional("code_challenge_methods_supported")
        takesClientDocuments = (try? members.optional("client_id_metadata_document_supported")) ?? false
        gaps = MetadataGap.List.allCases.compactMap { MetadataGap($0, in: document) }
        demands = Set(MetadataDemand.allCases.filter { $0.isIn(document) })
    }
}

extension ProviderMetadata {
    /// Those of a server without a document: at the paths that MCP 2025-03-26 gives for that case.
    ///
    /// - Parameter origin: scheme, host and port.
    init(assumedAt origin: String) throws(MetadataError) {
        let document: JSONObject = [
            "issuer": .string(origin), "authorization_endpoint": .string("\(origin)/authorize"),
            "token_endpoint": .string("\(origin)/token"), "registration_endpoint": .string("\(origin)/register"),
        ]
        try self.init(parsing: document.serialized, expectedIssuer: origin)
        isAssumed = true
    }

    /// What a provider that has both documents may name in its RFC 8414 document alone.
    public static let supplementable: [WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable] = [
        \.revocation, \.introspection, \.deviceAuthorization, \.registration, \.pushedAuthorization, \.endSession,
    ]

    /// Adds an endpoint that is missing here. Both documents are from the issuer itself.
    public mutating func take(
        _ endpoint: WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable, from other: ProviderMetadata?
    ) {
        if self[keyPath: endpoint] == nil { self[keyPath: endpoint] = other?[keyPath: endpoint] }
    }
}

/// Reads members with this module's errors.
private struct Members {
    let document: JSONObject
    var mayBePlain = false
    var mayBeHere = false

    func optional<Value: JSONConvertible>(_ name: String) throws(MetadataError) -> Value? {
        do throws(JSONMemberError) { return try document.optional(name) } catch { throw .member(error) }
    }

    func required<Value: JSONConvertible>(_ name: String) throws(MetadataError) -> Value {
        do throws(JSONMemberError) { return try document.required(name) } catch { throw .member(error) }
    }

    func endpoint(_ name: String) throws(MetadataError) -> EndpointURL? {
        guard let text: String = try optional(name) else { return nil }
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch { throw .endpointInvalid(member: name, error) }
        guard url.scheme == .https || mayBePlain else { throw .endpointInvalid(member: name, .plainHTTP(host: url.host)) }
        guard mayBeHere || !LoopbackHost.isMeant(by: url.host) else { throw .endpointInvalid(member: name, .thisMachine(host: url.host)) }
        return url
    }
}
