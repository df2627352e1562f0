/// What the answer to an invalid code says about the client that sent it: a server authenticates the client before it checks the code (RFC
/// 6749 section 5.2).
public enum ClientVerdict: Sendable, Equatable {
    /// It refused only the code, with this error.
    case taken(error: String)
    case refused(reason: String)
    case unknown(reason: String)

    /// No provider issues this code.
    public static let madeUpCode = Secret("postern-provider-check")

    /// From RFC 6749 section 5.2, and GitHub's equivalent.
    private static let codeRefusals: Set = ["invalid_grant", "bad_verification_code"]
    private static let clientRefusals: Set = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]

    /// - Parameter failure: the failure of a sign-in whose code got this answer.
    public init(_ failure: ProviderFailure) {
        guard failure.reason == .exchangeFailed, let error = failure.error else {
            self = .unknown(reason: failure.description)
            return
        }
        if Self.codeRefusals.contains(error) {
            self = .taken(error: error)
        } else if Self.clientRefusals.contains(error) {
            self = .refused(reason: failure.message)
        } else {
            self = .unknown(reason: failure.message)
        }
    }
}
