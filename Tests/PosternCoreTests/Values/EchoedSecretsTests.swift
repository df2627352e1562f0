import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// The ways in which an error may quote a value.
private let encodings: [(name: String, encode: @Sendable (String) -> String)] = [
    ("raw", { $0 }),
    ("a form's", { PercentEncoding.formEncode($0) }),
    ("a form's in small letters", { lowerEscapes(PercentEncoding.formEncode($0)) }),
    ("a URL's", { PercentEncoding.encode($0) }),
    ("a form's in a form", { PercentEncoding.formEncode(PercentEncoding.formEncode($0)) }),
    ("JSON's", { String(JSON.string($0).text.dropFirst().dropLast()) }),
    ("JSON's in JSON", { String(JSON.string(String(JSON.string($0).text.dropFirst().dropLast())).text.dropFirst().dropLast()) }),
    ("JSON's with numbers", { $0.unicodeScalars.map { "\\u00" + Hexadecimal.encode([UInt8($0.value)]) }.joined() }),
    ("JSON's with slashes escaped", { $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/") }),
    ("HTML's", { $0.unicodeScalars.map { htmlEntities[$0] ?? String($0) }.joined() }),
    ("HTML's with numbers", { $0.unicodeScalars.map { "&#\($0.value);" }.joined() }),
    ("broken into lines", { $0.map(String.init).joined(separator: "\r\n") }),
    ("with control characters in it", { $0.map(String.init).joined(separator: "\u{1}\u{200B}\u{202E}") }),
    ("cut in half", { String($0.prefix($0.count / 2)) }),
    ("cut with dots", { String($0.prefix(12)) + "..." }),
    ("in quotation marks", { "\"\($0)\"" }),
    ("in a word", { "token\($0)token" }),
]

private let htmlEntities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;", "+": "&#x2B;"]

private func lowerEscapes(_ text: String) -> String {
    var result = ""
    for (index, part) in text.split(separator: "%", omittingEmptySubsequences: false).enumerated() {
        result += index == 0 ? String(part) : "%" + part.prefix(2).lowercased() + part.dropFirst(2)
    }
    return result
}

/// All that could be encoded is in it.
private func secret(_ name: String) -> String { "\(name)9Zq+/=a&b%2Bc\"d\\e~<f>'g" + name.reversed() }

/// An endpoint, what one request to it tells, and what is made of its answer.
private struct Endpoint: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var request: ProviderRequest
    var secrets: [String]
    var failure: @Sendable (ProviderResponse) -> String

    init(_ name: String, _ request: ProviderRequest, _ secrets: [String], failure: @escaping @Sendable (ProviderResponse) throws -> Void) {
        testDescription = name
        self.request = request
        self.secrets = secrets
        self.failure = { answer in
            do {
                try failure(answer)
                return "nothing was wrong"
            } catch let error as TokenEndpointError {
                return "\(error) \(error.providerFailure(at: "Work"))"
            } catch {
                return "\(error)"
            }
        }
    }
}

/// What an answer to a revocation says, as an error.
private struct Said: Error, CustomStringConvertible { var description: String }

private func endpoints() throws -> [Endpoint] {
    let cryptography = OpenSSLCryptography()
    let basic = try ResolvedProvider(.oauth2(secret: secret("client")))
    var post = Provider.oauth2(secret: secret("client"))
    post.clientAuthentication = .clientSecretPost
    post.endpoints.introspection = "https://as.example/introspect"
    let posting = try ResolvedProvider(post)
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    @Sendable func grant(_ answer: ProviderResponse) throws {
        _ = try TokenResponse.grant(from: answer, to: .exchange, at: basic, scopes: [], sentAt: now, now: now)
    }
    @Sendable func said(_ outcome: Any) throws { throw Said(description: "\(outcome)") }
    @Sendable func device(_ answer: ProviderResponse) throws {
        try said(DeviceAnswer(answer, at: basic, scopes: [], sentAt: now, now: now))
    }
    @Sendable func profile(_ answer: ProviderResponse) throws { _ = try ProfileDocument(from: answer, now: now) }
    @Sendable func firebase(_ answer: ProviderResponse) throws { if let refusal = FirebaseRefusal(answer, now: now) { throw refusal } }
    @Sendable func graph(_ answer: ProviderResponse) throws { try said(GraphError(in: answer)?.meaning as Any) }

    let both = Grant.sample(accessToken: secret("access"), refreshToken: secret("refresh"))
    let token = OAuth1Token(token: Secret("requestToken1234/+="), secret: Secret(secret("hmacKey")))
    let x = try ResolvedProvider(.twitter(secret: secret("apiSecret")))
    let stamp = OAuth1Request.Stamp(nonce: "ea9ec8429b68d6b77cd5600adbbb0456", timestamp: 1_318_467_427)
    let oauth1 = OAuth1Request.accessToken(for: token, verifier: Secret(secret("verifier")), at: x)
        .signed(for: x, with: stamp, cryptography: cryptography)
    let gitHub = try ResolvedProvider(.gitHub(secret: secret("gitHub")))
    guard case .ask(let check) = gitHub.dialect.audienceLookup(about: both, at: gitHub, cryptography: cryptography) else { return [] }
    let project = FirebaseRequest(to: FirebaseProject(apiKey: Secret(secret("apiKey"))))
    let introspection = try #require(TokenIntrospection.request(for: both, at: posting))
    let push = ProviderRequest.form(
        [("state", secret("state")), ("nonce", secret("nonce")), ("scope", "openid")], to: basic.token, from: ClientCredentials(of: posting))
    let graphQuery = PercentEncoding.query([("access_token", secret("access")), ("client_secret", secret("client")), ("client_id", "138")])
    let postBody = PercentEncoding.query([("id_token", secret("idToken")), ("access_token", secret("access")), ("providerId", "apple.com")])
    let proved = [("Authorization", "DPoP " + secret("access")), ("DPoP", "eyJ0eXAi.eyJqdGki.c2lnbmF0dXJl")]

    return [
        Endpoint(
            "exchange, basic",
            TokenRequest.exchange(
                code: Secret(secret("code")), redirectURI: "http://127.0.0.1/", codeVerifier: try #require(CodeVerifier(stored: Secret(verifier))),
                at: basic), [secret("code"), verifier, secret("client"), basicText(secret("client"))], failure: grant),
        Endpoint(
            "refresh, post", TokenRequest.refresh(Secret(secret("refresh")), redirectURI: "", at: posting),
            [secret("refresh"), secret("client")], failure: grant),
        Endpoint("device poll", DeviceRequest.token(for: Secret(secret("device")), at: basic), [secret("device"), secret("client")], failure: device),
        Endpoint(
            "device authorization",
            DeviceRequest.authorization(scopes: ["a"], parameters: [:], to: basic.token, at: posting, isAuthenticated: true), [secret("client")]
        ) { _ = try DeviceAuthorization($0, at: basic, sentAt: now, now: now) },
        Endpoint("pushed request", push, [secret("state"), secret("nonce"), secret("client")]) {
            _ = try PushedAuthorizationRequest.page(from: $0, of: posting, sentAt: now, now: now)
        },
        Endpoint("revocation", basic.dialect.revocationRequests(for: both, at: basic, cryptography: cryptography)[0], [secret("refresh"), secret("client")]) {
            try said(RevocationOutcome(answer: $0, now: now))
        },
        Endpoint("introspection", introspection, [secret("access"), secret("client")]) {
            _ = try TokenIntrospection.token(in: $0, at: posting, now: now)
        },
        Endpoint("GitHub's check", check, [secret("access"), secret("gitHub")]) {
            _ = try gitHub.dialect.presentedToken(in: $0, at: gitHub, now: now)
        },
        Endpoint(
            "userinfo", ProviderRequest(url: "https://as.example/me", headers: [("Authorization", "Bearer " + secret("access"))]),
            [secret("access")], failure: profile),
        Endpoint(
            "userinfo, DPoP", ProviderRequest(url: "https://as.example/me", headers: proved), [secret("access"), proved[1].1], failure: profile),
        Endpoint("OAuth 1.0a", oauth1, [token.token.reveal(), secret("hmacKey"), secret("apiSecret"), secret("verifier")]) {
            _ = try OAuth1Answer.grant(in: $0, dialect: x.dialect, sentAt: now, now: now)
        },
        Endpoint(
            "Graph API", ProviderRequest(url: "https://graph.facebook.com/v25.0/oauth/access_token?" + graphQuery),
            [secret("access"), secret("client")], failure: graph),
        Endpoint(
            "Firebase, password", project.signIn(email: "a@b.example", password: Secret(secret("password"))),
            [secret("password"), secret("apiKey")], failure: firebase),
        Endpoint("Firebase, refresh", project.refresh(Secret(secret("refresh"))), [secret("refresh"), secret("apiKey")], failure: firebase),
        Endpoint(
            "Firebase, provider's tokens",
            ProviderRequest(
                method: "POST", url: "https://identitytoolkit.googleapis.com/", body: JSONObject(dictionaryLiteral: ("postBody", .string(postBody))).serialized),
            [secret("idToken"), secret("access")], failure: firebase),
    ]
}

private func basicText(_ secret: String) -> String {
    String(ClientCredentials.basic(id: "client", secret: Secret(secret)).dropFirst("Basic ".count))
}

@Suite("What a provider's error repeats of a request")
struct EchoedSecretsTests {
    private static let hasObjects: Set = ["Graph API", "Firebase, password", "Firebase, refresh", "Firebase, provider's tokens"]

    /// A refusal in the format of the endpoint.
    private func refusal(_ endpoint: Endpoint, _ words: String, status: Int) -> ProviderResponse {
        let document: JSONObject =
            Self.hasObjects.contains(endpoint.testDescription)
            ? ["error": ["message": .string(words), "type": .string(words), "code": 1]]
            : ["error": .string("invalid_x " + words), "error_description": .string(words), "message": .string(words)]
        return .json(JSON.object(document).text, status: status)
    }

    @Test("is struck, however it is encoded", arguments: try endpoints())
    fileprivate func struck(at endpoint: Endpoint) throws {
        for secret in endpoint.secrets {
            for (name, encode) in encodings {
                let quoted = encode(secret)
                for status in Self.hasObjects.contains(endpoint.testDescription) ? [400] : [400, 401, 200] {
                    let answer = refusal(endpoint, "the value \(quoted) is bad", status: status).withoutEcho(of: endpoint.request)
                    let told = endpoint.failure(answer)
                    let beginning = EchoText(secret).bytes.prefix(8)
                    let left = EchoText(told).bytes
                    let isLeft = left.indices.contains { left[$0...].starts(with: beginning) }
                    #expect(!isLeft, "\(name): \(told)")
                }
            }
        }
    }

    @Test("is struck from an error that is cut to length", arguments: try endpoints())
    fileprivate func cut(at endpoint: Endpoint) {
        for secret in endpoint.secrets {
            for length in ProviderText.longestDescription - 60...ProviderText.longestDescription {
                let words = String(repeating: "-", count: length) + secret
                let told = endpoint.failure(refusal(endpoint, words, status: 400).withoutEcho(of: endpoint.request))
                #expect(!told.contains("-" + secret.prefix(1)), "\(told)")
            }
        }
    }

    @Test("is all that is struck: an ordinary error is as it was, byte for byte", arguments: try endpoints())
    fileprivate func unchanged(at endpoint: Endpoint) {
        for words in ["the refresh token has expired", "the authorization_code grant of client is not allowed at https://as.example/token for openid", ""] {
            for status in [200, 400, 401, 503] {
                let answer = refusal(endpoint, words, status: status)
                #expect(answer.withoutEcho(of: endpoint.request).body == answer.body)
            }
        }
    }

    @Test("is kept where an answer gives a token: a refresh may give the same one again")
    func tokens() throws {
        let provider = try ResolvedProvider(.oauth2())
        let request = TokenRequest.refresh(Secret("refresh-token-1"), redirectURI: "", at: provider)
        let answer = ProviderResponse.json(
            #"{"access_token":"refresh-token-1","refresh_token":"refresh-token-1","token_type":"Bearer","scope":"refresh-token-1"}"#)
        #expect(answer.withoutEcho(of: request).body == answer.body)
        let both = ProviderResponse.json(
            #"{"error":"x","error_description":"not refresh-token-1, new-token-2 is","refresh_token":"new-token-2"}"#)
        let struck = try #require(try JSON(parsing: both.withoutEcho(of: request).body).objectValue)
        #expect(struck["refresh_token"] == "new-token-2" && struck["error_description"] == "not …, … is")
    }

    @Test("is struck from forms, from challenges and from pages")
    func formats() throws {
        let request = ProviderRequest(url: "https://as.example/", headers: [("Authorization", "Bearer " + secret("access"))])
        let quoted = PercentEncoding.formEncode(secret("access"))
        let form = ProviderResponse.form("oauth_problem=token_rejected&oauth_problem_advice=no+\(quoted)", status: 401).withoutEcho(of: request)
        #expect(OAuth1Answer.refusal(in: form, dialect: OAuth1Dialect()).errorDescription == "no …")
        let good = ProviderResponse.form("oauth_token=\(quoted)&oauth_token_secret=\(quoted)")
        #expect(good.withoutEcho(of: request).body == good.body)
        let challenge = ProviderResponse(status: 401, headers: [("www-Authenticate", "OAuth oauth_problem=\(quoted)")]).withoutEcho(of: request)
        #expect(challenge.header("WWW-Authenticate") == "OAuth oauth_problem=…")
        let page = ProviderResponse(status: 500, body: Array("<html><p>\(secret("access"))</p>".utf8)).withoutEcho(of: request)
        #expect(page.body == Array("<html><p>…</p>".utf8))
    }

    @Test("includes what a registration issues with its error")
    func registration() throws {
        let provider = Provider.openID(clientID: nil)
        let request = ProviderRequest(method: "POST", url: "https://op.example/register", body: Array(#"{"client_name":"Postern"}"#.utf8))
        let answer = ProviderResponse.json(
            #"{"error":"invalid_x","error_description":"not with issued-secret-1","client_secret":"issued-secret-1"}"#, status: 400)
        #expect(throws: ClientRegistrationError.refused(OAuthRefusal(status: 400, error: "invalid_x", errorDescription: "not with …"))) {
            try RegisteredClient(
                from: answer.withoutEcho(of: request), of: provider, scopes: [], redirectURI: "", asked: .clientSecretBasic, now: now)
        }
    }

    @Test("is not searched for in endless time")
    func bounded() {
        let value = String(repeating: "a", count: 16_000)
        let request = ProviderRequest(method: "POST", url: "https://as.example/").withForm(
            (0..<20).map { ("secret\($0)", value + String($0)) } + [("url", "https://" + value)])
        let words = String(repeating: "aaaaaaab%25%2541&amp;https://\\u0061", count: 5000)
        let struck = EchoedSecrets(of: request).struck(words)
        #expect(struck.utf8.count < words.utf8.count || struck == words)
    }

    @Test(
        "in an error of a callback is found in the same way",
        arguments: ["state=st-0123456789&error=x&error_description=%73t-0123456789", "code=co-0123456789&error=co-0123456789"])
    func callback(query: String) throws {
        let parameters = try CallbackParameters(parsing: query.utf8)
        let secrets = EchoedSecrets(parameters.secrets)
        #expect(secrets.struck(parameters.errorDescription ?? parameters.error ?? "") == "…")
        #expect(secrets.struck("access_denied") == "access_denied")
    }
}
