import PosternValues

/// How a demo provider behaves.
public struct DemoProviderOptions: Sendable {
    /// Who may ask.
    public var clients: [DemoClient]
    /// Seconds that an access token is good for.
    public var accessTokenSeconds = 3600
    /// The token endpoint answers that much later, so that a user, or a test, can see what a slow provider does.
    public var tokenDelayMilliseconds = 0
    /// Seconds that a device code is good for, and how many lie between two questions for it at least (RFC 8628 section 3.2).
    public var deviceCodeSeconds = 600
    public var deviceIntervalSeconds = 5
    /// Answers `POST /demo/rotate-keys` by signing with a new key.
    public var allowsKeyRotation = false

    public init(clients: [DemoClient] = [DemoClient()]) {
        self.clients = clients
    }
}

/// A registered client.
public struct DemoClient: Sendable {
    /// Where Postern listens, whatever its port.
    public static let usualRedirectURIs = ["http://127.0.0.1/__/auth/handler", "http://[::1]/__/auth/handler"]

    public var id: String
    /// Nil for a public client.
    public var secret: Secret?
    /// Compared byte for byte, save for the port of `http` to a loopback address (RFC 8252 section 7.3).
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
    /// The address literals alone: where the name `localhost` leads is not the provider's to know.
    static func areEqualButForLoopbackPort(_ left: String, _ right: String) -> Bool {
        guard let left = try? EndpointURL(left), let right = try? EndpointURL(right) else { return false }
        return left.scheme == .http && right.scheme == .http && ["127.0.0.1", "::1"].contains(left.host) && left.host == right.host
            && left.path == right.path && left.query == right.query
    }
}
