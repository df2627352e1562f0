import PosternCore

extension AuthorizationServer {
    /// A request that waits for its person, under the name that the page's form will give.
    struct ConsentQuestion {
        var requestID: String
        var request: AuthorizationRequest
    }

    enum Decision {
        case person(Person)
        case denied
    }

    mutating func ask(_ request: AuthorizationRequest, now: Timestamp) throws(OAuthError) -> ConsentQuestion {
        let id = try RandomToken.make()
        pending.insert(request, under: id, now: now)
        return ConsentQuestion(requestID: id, request: request)
    }

    /// Where the browser goes next; nil where no such question waits: it was answered, has expired, or never was.
    mutating func decide(_ requestID: String, _ decision: Decision, now: Timestamp) throws(OAuthError) -> String? {
        guard let request = pending.remove(requestID, now: now) else { return nil }
        switch decision {
        case .denied:
            return answer(
                to: request.redirectURI, state: request.state, [("error", "access_denied"), ("error_description", "the person said no")])
        case .person(let person):
            let code = try RandomToken.make()
            let grant = ApprovedGrant(
                person: person, clientID: request.client.id, scopes: request.scopes, nonce: request.nonce, authenticatedAt: now)
            codes.insert(
                IssuedCode(grant: grant, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge, issuedAt: now),
                under: code,
                now: now)
            return answer(to: request.redirectURI, state: request.state, [("code", code)])
        }
    }

    /// The redirect URI with the answer behind it, and who answers (RFC 9207 section 2).
    func answer(to redirectURI: String, state: String?, _ parameters: [(name: String, value: String)]) -> String {
        var parameters = parameters
        if let state { parameters.append(("state", state)) }
        parameters.append(("iss", issuer))
        let query = parameters.map { "\($0.name)=\(FormParameters.encoded($0.value))" }.joined(separator: "&")
        return redirectURI + (redirectURI.contains("?") ? "&" : "?") + query
    }
}
