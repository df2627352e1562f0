import NIOCore

/// Limits and ways out of this machine, for all requests of a client.
public struct HTTPSClientConfiguration: Sendable {
    /// Until the request can be sent: name, TCP, proxy and TLS together.
    public var connectTimeout = TimeAmount.seconds(10)
    /// From the call to the last byte of the answer.
    public var requestTimeout = TimeAmount.seconds(30)
    /// Most bytes of an answer's body, where a request does not ask for another number.
    public var maximumBodyBytes = 1 << 20
    /// Sent where a request has no `User-Agent` of its own: GitHub answers 403 to requests without.
    public var userAgent: String

    let proxies: ProxySettings

    /// - Parameters:
    ///   - environment: read now, and once: `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` (the first that is set
    ///     and not empty), `no_proxy`, `NO_PROXY`. `HTTP_PROXY` has no use: plain http only goes to this machine.
    ///   - userAgent: product and version.
    public init(environment: [String: String], userAgent: String = "Postern") {
        self.userAgent = userAgent
        proxies = ProxySettings(environment: environment)
    }
}
