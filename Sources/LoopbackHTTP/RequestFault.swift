/// Why a request was refused before the responder saw it.
public enum RequestFault: Error, Sendable, Hashable {
    /// Not HTTP/1.0 or HTTP/1.1 according to RFC 9112, or ambiguous. The sentence names the rule, never the bytes.
    case malformed(String)
    /// Plain HTTP on a connection that requires TLS.
    case notEncrypted
    /// The headers, or the body, did not arrive in time.
    case timedOut
    case methodUnknown
    case bodyTooLarge
    case requestLineTooLong
    case expectationUnknown
    case headersTooLarge
    /// `Upgrade`, of a listener for streams; the others ignore it.
    case upgradeUnknown
    /// Our own mistake.
    case responderFailed

    public var status: Int {
        switch self {
        case .malformed, .notEncrypted: 400
        case .timedOut: 408
        case .bodyTooLarge: 413
        case .requestLineTooLong: 414
        case .expectationUnknown: 417
        case .headersTooLarge: 431
        case .responderFailed: 500
        case .methodUnknown, .upgradeUnknown: 501
        }
    }
}

extension RequestFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason): reason
        case .notEncrypted: "this service speaks only https"
        case .timedOut: "the request did not arrive in time"
        case .methodUnknown: "the request's method is not supported"
        case .bodyTooLarge: "the request's body is too large"
        case .requestLineTooLong: "the request line is too long"
        case .expectationUnknown: "the only supported expectation is 100-continue"
        case .headersTooLarge: "the request's headers are too large or too many"
        case .upgradeUnknown: "this service cannot change to another protocol (Upgrade)"
        case .responderFailed: "this service failed to answer"
        }
    }
}
