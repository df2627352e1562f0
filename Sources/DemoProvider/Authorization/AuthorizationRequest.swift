import PosternValues

/// A request for consent that may be shown to a user (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
struct AuthorizationRequest: Sendable {
    var client: DemoClient
    var redirectURI: String
    var state: String?
    var scopes: [String]
    var nonce: String?
    /// The S256 challenge (RFC 7636 section 4.2).
    var codeChallenge: String
    /// The person that the client prefers.
    var preferred: Person?
    /// The strong way to sign in, if the client wants it (OpenID Connect Core section 3.1.2.1).
    var authenticationClass: String?
}

/// Why no consent page is shown.
enum AuthorizationRefusal: Error {
    /// For the user: the client, or the redirect URI, cannot be trusted, so the browser is not redirected.
    case page(String)
    /// For the client.
    case redirect(uri: String, state: String?, error: String, description: String)
}

extension AuthorizationRequest {
    /// Client and redirect URI are checked first: until both are valid, nothing may be sent to the redirect URI.
    init(_ parameters: FormParameters, at server: AuthorizationServer) throws(AuthorizationRefusal) {
        for name in ["client_id", "redirect_uri"] where parameters.repeated.contains(name) { throw .page("it has \(name) twice") }
        guard let id = parameters["client_id"] else { throw .page("it has no client_id") }
        guard let client = server.client(id) else { throw .page("no such client is registered here") }
        guard let redirectURI = parameters["redirect_uri"] else { throw .page("it has no redirect_uri") }
        guard client.mayRedirect(to: redirectURI) else { throw .page("its redirect_uri is not registered for this client") }

        let check = Check(parameters: parameters, redirectURI: redirectURI)
        try check.form()
        self.client = client
        self.redirectURI = redirectURI
        state = parameters["state"]
        scopes = try check.scopes()
        nonce = parameters["nonce"]
        codeChallenge = try check.codeChallenge()
        preferred = parameters["login_hint"].flatMap(Person.hinted)
        let classes = (parameters["acr_values"] ?? "").parts(separator: " ")
        authenticationClass = classes.contains { $0 == AuthorizationServer.vaultClass } ? AuthorizationServer.vaultClass : nil
        try check.prompt()
    }

    private struct Check {
        let parameters: FormParameters
        let redirectURI: String

        func refusal(_ error: String, _ description: String) -> AuthorizationRefusal {
            .redirect(uri: redirectURI, state: parameters["state"], error: error, description: description)
        }

        func form() throws(AuthorizationRefusal) {
            if let name = parameters.repeated.min() { throw refusal("invalid_request", "\(name) appears twice") }
            // Signed and pushed requests are not supported (OpenID Connect Core section 6).
            if parameters["request"] != nil { throw refusal("request_not_supported", "request is not supported") }
            if parameters["request_uri"] != nil { throw refusal("request_uri_not_supported", "request_uri is not supported") }
            guard let type = parameters["response_type"] else { throw refusal("invalid_request", "response_type is missing") }
            guard type == "code" else { throw refusal("unsupported_response_type", "only the response type code is supported") }
            guard parameters["response_mode"].map({ $0 == "query" }) ?? true else {
                throw refusal("invalid_request", "only the response mode query is supported")
            }
        }

        /// Unknown scopes are ignored (OpenID Connect Core section 3.1.2.1). Without `openid` it is a plain OAuth 2.0 request.
        func scopes() throws(AuthorizationRefusal) -> [String] {
            let known = AuthorizationServer.scopes(in: parameters)
            guard !known.isEmpty else {
                throw refusal("invalid_scope", "ask for one of \(AuthorizationServer.scopes.joined(separator: ", "))")
            }
            return known
        }

        /// Required of every client (RFC 9700 section 2.1.1); `plain` is refused.
        func codeChallenge() throws(AuthorizationRefusal) -> String {
            guard let challenge = parameters["code_challenge"] else {
                throw refusal("invalid_request", "code_challenge is missing; PKCE is required")
            }
            guard parameters["code_challenge_method"] == "S256" else {
                throw refusal("invalid_request", "code_challenge_method must be S256")
            }
            guard Base64URL.decode(challenge)?.count == 32 else {
                throw refusal("invalid_request", "code_challenge is not a SHA-256 in base64url")
            }
            return challenge
        }

        /// Nobody is ever signed in here, so the page itself satisfies all values but `none`.
        func prompt() throws(AuthorizationRefusal) {
            let words = (parameters["prompt"] ?? "").parts(separator: " ")
            guard words.allSatisfy({ ["none", "login", "consent", "select_account"].contains($0) }) else {
                throw refusal("invalid_request", "prompt has an unknown value")
            }
            guard words.contains("none") else { return }
            guard words.count == 1 else { throw refusal("invalid_request", "prompt combines none with another value") }
            throw refusal("login_required", "nobody is signed in, and prompt=none does not allow asking")
        }
    }
}
