/// Why a request brought no answer.
public struct HTTPSClientError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        case invalidURL, plainHTTPRefused, invalidRequest
        case connect, connectTimeout, proxy, tls
        case requestTimeout, connectionClosed
        case responseTooLarge, malformedResponse
    }

    public var kind: Kind
    /// The request may have been carried out, though its answer is lost: what must happen once must not be sent again.
    public var mayHaveReachedServer: Bool
    /// A sentence, with the host and never with what the request held.
    public var description: String

    public init(_ kind: Kind, mayHaveReachedServer: Bool = false, _ description: String) {
        self.kind = kind
        self.mayHaveReachedServer = mayHaveReachedServer
        self.description = description
    }
}
