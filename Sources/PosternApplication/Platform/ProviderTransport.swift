import PosternCore

/// Sends requests to providers, each once and never again.
@DaemonActor
public protocol ProviderTransport: AnyObject {
    /// - Parameters:
    ///   - caFile: a PEM file of authorities that are trusted beside the system's.
    ///   - maximumBodyBytes: most bytes of the answer's body; nil for what the transport has for all.
    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse
}

/// Why a request has no answer.
public struct TransportFailure: Error, Sendable, CustomStringConvertible {
    /// False only where not one byte of the request was sent. If it is true, a code or a refresh token may be spent.
    public let mayHaveReachedServer: Bool
    /// Names the host, and nothing else of the request: the rest of a URL may be secret.
    public let description: String

    public init(_ description: String, mayHaveReachedServer: Bool) {
        self.description = description
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}
