import PosternCore

/// Sends requests to providers, each of them once.
@DaemonActor
public protocol ProviderTransport: AnyObject {
    /// - Parameters:
    ///   - caFile: a PEM file of authorities that are trusted in addition to the system's.
    ///   - maximumBodyBytes: the limit for the answer's body; nil for the transport's default.
    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse

    /// Why requests to other machines cannot be sent, in a sentence; nil if nothing is known that prevents them.
    var problem: String? { get }

    /// Another machine looks the names up, so that the address of a request is not known.
    var usesProxy: Bool { get }

    /// For a program that sends requests to the same servers itself.
    var proxies: ProxyVariables { get }

    /// The certificates in a PEM file, for such a program.
    func authorities(in caFile: String) async throws(TransportFailure) -> String
}

/// The environment variables that say which requests use a proxy; those that are set and not empty.
public struct ProxyVariables: Sendable {
    /// `https_proxy`, else `HTTPS_PROXY`. It may have a password.
    public var https: Secret?
    public var all: Secret?
    public var exceptions: String?

    public init(environment: [String: String] = [:]) {
        func first(_ name: String) -> String? {
            [name, name.uppercased()].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        https = first("https_proxy").map { Secret($0) }
        all = first("all_proxy").map { Secret($0) }
        exceptions = first("no_proxy")
    }
}

extension ProviderTransport {
    public var problem: String? { nil }
    public var usesProxy: Bool { false }
    public var proxies: ProxyVariables { ProxyVariables() }
}

/// Why a request has no answer.
public struct TransportFailure: Error, Sendable, CustomStringConvertible {
    /// False only if not one byte of the request was sent. If true, a code or a refresh token may be used up.
    public let mayHaveReachedServer: Bool
    /// Names the host, and no other part of the request: the rest of a URL may be secret.
    public let description: String

    public init(_ description: String, mayHaveReachedServer: Bool) {
        self.description = description
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}
