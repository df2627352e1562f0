import PosternCrypto

/// Why a request got no answer.
public struct HTTPSClientError: Error, Sendable {
    public enum Kind: Hashable, Sendable {
        case invalidURL
        /// A method, header or ca-file that cannot be used.
        case invalidRequest
        /// `http` to another machine.
        case plainHTTPRefused
        case nameResolution
        /// An address that the request's ``AddressRule`` excludes.
        case addressRefused
        case connect
        /// No connection in time: name, TCP, the proxy and the TLS handshake together.
        case connectTimeout
        case tls(TLSError)
        /// A proxy setting that cannot be used, or a proxy that does not connect.
        case proxy
        /// The answer did not begin, go on or end in time.
        case requestTimeout
        case responseTooLarge
        case malformedResponse
        /// More wait for a connection than may.
        case tooManyRequests
        /// The connection ended before the answer was complete.
        case connectionClosed
    }

    public let kind: Kind
    /// False only if not one byte of the request was passed to the connection. If true, a code or a refresh token may be used up, and must
    /// not be sent again.
    public let mayHaveReachedServer: Bool
    /// Names the host and the port, and no other part of the request: the rest of a URL may be secret.
    public let description: String
}

extension HTTPSClientError: CustomStringConvertible {}

extension HTTPSClientError {
    /// As ``mayHaveReachedServer``, for the error of a future of the client; true if that is not known.
    public static func mayHaveReachedServer(_ error: any Error) -> Bool { (error as? Self)?.mayHaveReachedServer ?? true }
}

/// A failure before it is known whether the request may have reached the server.
struct ExchangeFailure: Error {
    var kind: HTTPSClientError.Kind
    var description: String

    init(_ kind: HTTPSClientError.Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
