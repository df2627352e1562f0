import NIOCore

/// Bounds and ways of the requests to providers.
public struct HTTPSClientConfiguration: Sendable {
    /// Until a connection stands, names looked up and a proxy passed.
    public var connectTimeout = TimeAmount.seconds(10)
    /// For all of a request, from its beginning to the last byte of its answer.
    public var requestTimeout = TimeAmount.seconds(30)
    /// Bytes of an answer's body.
    public var maximumBodyBytes = 1 << 20
    /// Bytes of an answer's status line and headers.
    public var maximumHeadBytes = 64 * 1024
    public var proxies: ProxySettings

    /// - Parameter environment: for `HTTPS_PROXY` and `NO_PROXY`, read once.
    public init(environment: [String: String]) { proxies = ProxySettings(environment: environment) }
}
