/// What an answer to a made-up code tells about the client that sent it: a server authenticates the client before it looks at the code
/// (RFC 6749 section 5.2).
public enum ClientVerdict: Sendable, Equatable {
    /// It refused the code alone. The word is its own.
    case taken(error: String)
    case refused(reason: String)
    case unknown(reason: String)

    /// Nobody knows this code, and no provider gives it.
    public static let madeUpCode = Secret("postern-provider-check")

    /// RFC 6749 section 5.2, and GitHub's words for the same.
    private static let codeRefusals: Set = ["invalid_grant", "bad_verification_code"]
    private static let clientRefusals: Set = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]

    /// - Parameter failure: what a sign-in would become whose code was answered so.
    public init(_ failure: SignInFailure) {
        guard case .exchangeFailed(let error?, _, let message) = failure else {
            self = .unknown(reason: failure.description)
            return
        }
        if Self.codeRefusals.contains(error) {
            self = .taken(error: error)
        } else if Self.clientRefusals.contains(error) {
            self = .refused(reason: message)
        } else {
            self = .unknown(reason: message)
        }
    }
}
