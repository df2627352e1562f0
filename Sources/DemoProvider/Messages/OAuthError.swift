import StrictJSON

/// An error answer of an endpoint that programs ask (RFC 6749 section 5.2).
struct OAuthError: Error {
    var code: String
    var description: String
    var status = 400
    /// What `WWW-Authenticate` says, where the status is 401.
    var challenge: String?

    static func invalidRequest(_ description: String) -> OAuthError { OAuthError(code: "invalid_request", description: description) }
    static func invalidGrant(_ description: String) -> OAuthError { OAuthError(code: "invalid_grant", description: description) }

    /// - Parameter usedHeader: the client came with an `Authorization` header, and is to be told which scheme it should have.
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

    var json: JSONObject { ["error": .string(code), "error_description": .string(description)] }
}
