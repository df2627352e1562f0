/// A client that the configuration does not name: one that Postern registered (RFC 7591 section 3.2.1), or another program's.
public struct RegisteredClient: Sendable, Equatable {
    public var providerID: String
    /// Who issued it: see ``Provider/registrar``.
    public var registrar: String
    /// Empty for another program's, with which no sign-in begins.
    public var redirectURI: String
    /// Those that it was registered for; another program's, those that its token has.
    public var scopes: [String]
    /// It was registered with our URL for the return from the end of a session.
    public var returnsFromEndSession: Bool
    public var clientID: String
    public var clientSecret: Secret?
    public var authentication: ClientAuthentication
    /// Nil: the secret does not expire, or there is none.
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

extension RegisteredClient {
    var isImported: Bool { redirectURI.isEmpty }

    func isOfTheSameID(as other: RegisteredClient) -> Bool {
        providerID == other.providerID && registrar == other.registrar && clientID.utf8.elementsEqual(other.clientID.utf8)
    }
}

extension Provider {
    /// Who registers clients for it: its issuer, or else the registration endpoint.
    public var registrar: String { issuer ?? endpoints.registration ?? "" }

    /// Whether its credentials may be of clients that the configuration does not name: one that is registered for it, or, at an MCP server,
    /// another program's.
    public var hasFoundClients: Bool { extensions.registersClient || (server != nil && clientID == nil) }

    /// The provider as used by this client.
    public func speaking(as client: RegisteredClient) -> Provider {
        var provider = self
        provider.clientID = client.clientID
        provider.clientSecret = client.clientSecret
        provider.clientAuthentication = client.authentication
        provider.registeredScopes = client.scopes
        return provider
    }
}

/// The clients registered so far. Earlier ones are kept for a while: their refresh tokens are valid with no other.
public struct ClientRegistrations: Sendable {
    /// Per provider.
    static let mostOfOne = 4
    static let most = 64
    /// How long before the expiry of the client's secret a sign-in that begins now must end, in seconds.
    static let margin: Int64 = 3600

    /// The oldest first.
    public private(set) var all: [RegisteredClient]

    public init(_ all: [RegisteredClient] = []) { self.all = all.suffix(Self.most) }

    /// The client for a sign-in that begins now; nil if one must be registered first.
    public func client(for provider: Provider, redirectURI: String, now: Timestamp) -> RegisteredClient? {
        all.last { client in
            client.providerID == provider.id && client.registrar == provider.registrar && client.redirectURI == redirectURI
                && Set(provider.scopes).isSubset(of: client.scopes)
                && (client.returnsFromEndSession || !provider.extensions.returnsFromEndSession)
                && provider.clientAuthentication.map { $0 == client.authentication } ?? true
                && client.secretExpiresAt.map { $0 > now.adding(seconds: Self.margin) } ?? true
        }
    }

    /// The client that something was begun with; nil if it is no longer known, or the provider has been replaced.
    public func client(of provider: Provider, boundTo binding: ProviderBinding) -> RegisteredClient? {
        all.last { $0.providerID == provider.id && $0.registrar == provider.registrar && provider.speaking(as: $0).binding == binding }
    }

    /// - Parameter isUsed: a stored credential is bound to it, and would be of no use without it: others make room first.
    public mutating func add(_ client: RegisteredClient, isUsed: (RegisteredClient) -> Bool = { _ in false }) {
        // A server may give the same client again to one that registers again, with another secret: what was begun with it needs that one now.
        all.removeAll { $0.isOfTheSameID(as: client) }
        all.append(client)
        let earlier = all.indices.dropLast()
        let ofOne = earlier.filter { all[$0].providerID == client.providerID }
        if ofOne.count >= Self.mostOfOne, let oldest = ofOne.first(where: { !isUsed(all[$0]) }) ?? ofOne.first { all.remove(at: oldest) }
        if all.count > Self.most { all.remove(at: earlier.first { !isUsed(all[$0]) } ?? 0) }
    }

    /// - Parameter registrar: who issued it, where one name may have had several; nil: whoever did.
    /// - Returns: whether there was one.
    public mutating func forget(_ clientID: String, of providerID: String, by registrar: String? = nil) -> Bool {
        let before = all.count
        all.removeAll { $0.providerID == providerID && $0.clientID == clientID && (registrar ?? $0.registrar) == $0.registrar }
        return all.count < before
    }

    /// Forgets the clients of providers for which the configuration names one again, or wants none.
    ///
    /// - Returns: whether there were any.
    public mutating func forgetUnwanted(by providers: [Provider]) -> Bool {
        let unwanted = Set(providers.lazy.filter { !$0.hasFoundClients }.map(\.id))
        let before = all.count
        all.removeAll { unwanted.contains($0.providerID) }
        return all.count < before
    }
}
