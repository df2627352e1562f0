import StrictJSON

/// What a provider says of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), as far as it is used here.
public struct ProviderMetadata: Sendable, Hashable {
    public static let mostBytes = 256 * 1024

    public var issuer: String
    public var authorization: EndpointURL?
    public var token: EndpointURL?
    public var userinfo: EndpointURL?
    public var revocation: EndpointURL?
    public var deviceAuthorization: EndpointURL?
    public var jwks: EndpointURL?
    /// `token_endpoint_auth_methods_supported`; nil where the provider is silent.
    public var clientAuthenticationMethods: [String]?
    /// `authorization_response_iss_parameter_supported` (RFC 9207 section 3).
    public var announcesResponseIssuer: Bool
    /// Those of `id_token_signing_alg_values_supported` that we take; nil where the provider is silent or names none of them.
    public var idTokenAlgorithms: Set<SignatureAlgorithm>?

    /// - Parameter expectedIssuer: the one configured; the document must name the same, byte for byte, or another
    ///   provider's keys and endpoints would be used in its name (Discovery section 4.3, RFC 8414 section 3.3).
    public init(parsing body: [UInt8], expectedIssuer: String) throws(MetadataError) {
        guard body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        let json: JSON
        do throws(JSONParseError) { json = try JSON(parsing: body) } catch { throw .notJSON(error) }
        guard case .object(let document) = json else { throw .notAnObject(found: json.typeName) }

        issuer = try Self.read { () throws(JSONMemberError) in try document.required("issuer", as: String.self) }
        guard issuer.utf8.elementsEqual(expectedIssuer.utf8) else {
            let found = ProviderText.cleaned(issuer, longest: ProviderText.longestName) ?? "nothing"
            throw .issuerMismatch(expected: expectedIssuer, found: found)
        }
        authorization = try Self.endpoint("authorization_endpoint", in: document)
        token = try Self.endpoint("token_endpoint", in: document)
        userinfo = try Self.endpoint("userinfo_endpoint", in: document)
        revocation = try Self.endpoint("revocation_endpoint", in: document)
        deviceAuthorization = try Self.endpoint("device_authorization_endpoint", in: document)
        jwks = try Self.endpoint("jwks_uri", in: document)
        clientAuthenticationMethods = try Self.read { () throws(JSONMemberError) in
            try document.optional("token_endpoint_auth_methods_supported", as: [String].self)
        }
        announcesResponseIssuer = try Self.read { () throws(JSONMemberError) in
            try document.optional("authorization_response_iss_parameter_supported", as: Bool.self) ?? false
        }
        let algorithms = try Self.read { () throws(JSONMemberError) in
            try document.optional("id_token_signing_alg_values_supported", as: [String].self)
        }
        let common = Set((algorithms ?? []).compactMap(SignatureAlgorithm.init(rawValue:)))
        idTokenAlgorithms = common.isEmpty ? nil : common
    }

    private static func read<Value>(_ body: () throws(JSONMemberError) -> Value) throws(MetadataError) -> Value {
        do throws(JSONMemberError) { return try body() } catch { throw .member(error) }
    }

    private static func endpoint(_ member: String, in document: JSONObject) throws(MetadataError) -> EndpointURL? {
        let text = try read { () throws(JSONMemberError) in try document.optional(member, as: String.self) }
        guard let text else { return nil }
        do throws(EndpointURLError) { return try EndpointURL(text) } catch { throw .endpointInvalid(member: member, error) }
    }
}
