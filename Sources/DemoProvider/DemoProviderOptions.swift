import PosternValues

/// How a demo provider behaves.
public struct DemoProviderOptions: Sendable {
    /// The registered clients.
    public var clients: [DemoClient]
    /// The lifetime of an access token, in seconds.
    public var accessTokenSeconds = 3600
    /// The delay of the token endpoint, with which a user or a test can see the effect of a slow provider.
    public var tokenDelayMilliseconds = 0
    /// The lifetime of a device code, and the least interval between two requests with it, in seconds (RFC 8628 section 3.2).
    public var deviceCodeSeconds = 600
    public var deviceIntervalSeconds = 5
    /// Whether `POST /demo/rotate-keys` replaces the signing key.
    public var allowsKeyRotation = false

    public init(clients: [DemoClient] = [DemoClient()]) {
        self.clients = clients
    }
}

/// A registered client.
public struct DemoClient: Sendable {
    /// Postern's redirect URIs, with any port.
    public static let usualRedirectURIs = ["http://127.0.0.1/__/auth/handler", "http://[::1]/__/auth/handler"]

    public var id: String
    /// Nil for a public client.
    public var secret: Secret?
    /// Compared byte for byte, except for the port of `http` to a loopback address (RFC 8252 section 7.3).
    public var redirectURIs: [String]

    public init(id: String = "postern-demo", secret: Secret? = nil, redirectURIs: [String] = DemoClient.usualRedirectURIs) {
        self.id = id
        self.secret = secret
        self.redirectURIs = redirectURIs
    }

    func mayRedirect(to uri: String) -> Bool {
        redirectURIs.contains(uri) || redirectURIs.contains { RedirectURI.areEqualButForLoopbackPort($0, uri) }
    }
}

enum RedirectURI {
    /// For address literals only: the provider cannot know where the name `localhost` leads.
    static func areEqualButForLoopbackPort(_ left: String, _ right: String) -> Bool {
        guard let left = try? EndpointURL(left), let right = try? EndpointURL(right) else { return false }
        return left.scheme == .http && right.scheme == .http && ["127.0.0.1", "::1"].contains(left.host) && left.host == right.host
            && left.path == right.path && left.query == right.query
    }
}
