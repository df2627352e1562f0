/// A request to a provider, as decided; `HTTPSClient` sends it.
public struct ProviderRequest: Sendable {
    public var method: String
    /// Absolute, `https` (or `http` to a loopback address).
    public var url: String
    /// May contain credentials: never to be logged.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Those that the request was signed with, which the provider knows as well.
    public var unsentSecrets: [Secret] = []
    public var addresses = AddressRule.any
    /// The limit for the answer's body; nil for the transport's own.
    public var mostBodyBytes: Int?
    /// From the call to the last byte of the answer, in seconds; nil for the transport's own limit.
    public var longestSeconds: Int?

    public init(method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension ProviderRequest {
    /// The same with a form as its body.
    public func withForm(_ parameters: [(name: String, value: String)]) -> ProviderRequest {
        var request = self
        request.headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        request.body = PercentEncoding.form(parameters)
        return request
    }
}

/// Which addresses a request may go to. The address that is connected to is compared, and not only the name.
public enum AddressRule: Sendable, Hashable {
    /// Any: the configuration names the URL.
    case any
    /// For a URL that a stranger named: public addresses only, unless this host's own address is none.
    case publicUnless(host: String)
}

/// A provider's answer: any status, at most 1 MiB of body.
public struct ProviderResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name, ignoring letter case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.isEqualIgnoringCase(name) }?.value
    }
}
