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
}

extension ProviderTransport {
    public var problem: String? { nil }
    public var usesProxy: Bool { false }
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
