import PosternCrypto
import StrictJSON

/// An error response of an endpoint for programs (RFC 6749 section 5.2).
struct OAuthError: Error {
    var code: String
    var description: String
    var status = 400
    /// The value of `WWW-Authenticate`, if the status is 401 or 403.
    var challenge: String?

    static func invalidRequest(_ description: String) -> OAuthError { OAuthError(code: "invalid_request", description: description) }
    static func invalidGrant(_ description: String) -> OAuthError { OAuthError(code: "invalid_grant", description: description) }

    /// - Parameter usedHeader: the client sent an `Authorization` header, so the response names the scheme to use.
    static func invalidClient(_ description: String, usedHeader: Bool) -> OAuthError {
        OAuthError(
            code: "invalid_client", description: description, status: 401, challenge: usedHeader ? "Basic realm=\"demo\"" : nil)
    }

    /// RFC 6750 section 3.1
    static func invalidToken(_ description: String) -> OAuthError {
        OAuthError(
            code: "invalid_token", description: description, status: 401,
            challenge: "Bearer error=\"invalid_token\", error_description=\"\(description)\"")
    }

    static let serverFault = OAuthError(code: "server_error", description: "the provider failed", status: 500)

    /// What fails for a reason of its own.
    static func ofServer<Value>(_ body: () throws(CryptoError) -> Value) throws(OAuthError) -> Value {
        do throws(CryptoError) { return try body() } catch { throw serverFault }
    }

    var json: JSONObject { ["error": .string(code), "error_description": .string(description)] }
}
