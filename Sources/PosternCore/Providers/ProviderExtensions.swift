/// Extensions of OAuth 2.0 and OpenID Connect to use with a provider, as configured.
public struct ProviderExtensions: Sendable, Hashable {
    /// Whether authorization requests are pushed (RFC 9126); nil: as the metadata say.
    public var pushesAuthorization: Bool?
    /// The services that tokens are for (RFC 8707), each an absolute URI.
    public var resources: [String] = []
    /// Programs get tokens with the scopes that they request, and no more (RFC 6749 section 6).
    public var narrowsScopes = false
    /// Tokens are bound to a key of their own (RFC 9449).
    public var usesDPoP = false
    /// The client is registered dynamically (RFC 7591), and the configuration names none.
    public var registersClient = false
    /// Revoking a credential opens the page that ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0).
    public var endsSession = false
    /// The provider has our URL for the return from that page.
    public var returnsFromEndSession = false

    public init() {}

    /// Whether an endpoint is needed that only the metadata can name.
    func needDiscovery(besides endpoints: ProviderEndpoints) -> Bool {
        (pushesAuthorization == true && endpoints.pushedAuthorization == nil)
            || (registersClient && endpoints.registration == nil) || (endsSession && endpoints.endSession == nil)
    }

    /// RFC 8707 section 2: an absolute URI without a fragment. It need not be a URL: `urn:` is allowed.
    public static func isResource(_ text: String) -> Bool {
        guard (3...EndpointURL.longest).contains(text.utf8.count), let colon = text.unicodeScalars.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon].utf8
        guard let first = scheme.first, first.isASCIILetter,
            scheme.allSatisfy({ $0.isASCIILetter || $0.isDecimalDigit || "+-.".utf8.contains($0) }),
            text.unicodeScalars.index(after: colon) < text.endIndex
        else { return false }
        return !text.utf8.contains(UInt8(ascii: "#")) && EndpointURL.holdsOnlyURLCharacters(text.utf8)
    }
}

extension Provider {
    /// The endpoints that the settings or the provider itself require, and that neither the configuration nor these metadata name. A
    /// provider that merely may have more is not asked for another document at each sign-in.
    public func endpointsMissing(
        in metadata: ProviderMetadata
    ) -> [WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable] {
        var missing: [WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable] = []
        let pushes = extensions.pushesAuthorization ?? metadata.requiresPushedAuthorization
        if pushes, endpoints.pushedAuthorization == nil, metadata.pushedAuthorization == nil { missing.append(\.pushedAuthorization) }
        if extensions.endsSession, endpoints.endSession == nil, metadata.endSession == nil { missing.append(\.endSession) }
        return missing
    }
}
