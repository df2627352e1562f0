/// What an authorization server gave when it was asked for a client (RFC 7591 section 3.2.1), and what it was asked for.
public struct RegisteredClient: Sendable, Equatable {
    public var providerID: String
    /// Who gave it: see ``Provider/registrar``.
    public var registrar: String
    public var redirectURI: String
    /// That it may ask for, as they were configured then.
    public var scopes: [String]
    /// It was registered with our address to come back to from the end of a session.
    public var returnsFromEndSession: Bool
    public var clientID: String
    public var clientSecret: Secret?
    public var authentication: ClientAuthentication
    /// Nil: the secret has no end, or there is none.
    public var secretExpiresAt: Timestamp?

    public init(
        providerID: String, registrar: String, redirectURI: String, scopes: [String], returnsFromEndSession: Bool = false, clientID: String,
        clientSecret: Secret?, authentication: ClientAuthentication, secretExpiresAt: Timestamp?
    ) {
        self.providerID = providerID
        self.registrar = registrar
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.returnsFromEndSession = returnsFromEndSession
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authentication = authentication
        self.secretExpiresAt = secretExpiresAt
    }
}

extension Provider {
    /// Who registers clients for it: its issuer, else the address where that is done.
    var registrar: String { issuer ?? endpoints.registration ?? "" }

    /// The provider as this client of it speaks to it.
    public func speaking(as client: RegisteredClient) -> Provider {
        var provider = self
        provider.clientID = client.clientID
        provider.clientSecret = client.clientSecret
        provider.clientAuthentication = client.authentication
        return provider
    }
}
