import PosternCrypto
import Testing

@testable import PosternCore

@Suite("OAuth 1.0a requests") struct OAuth1RequestTests {
    private let stamp = OAuth1Request.Stamp(nonce: "ea9ec8429b68d6b77cd5600adbbb0456", timestamp: 1_318_467_427)
    private let cryptography = OpenSSLCryptography()

    private func provider() throws -> ResolvedProvider {
        try ResolvedProvider(.twitter(key: "cChZNFj6T5R0TigYB9yd1w", secret: "L8qq9PZyRg6ieKGEKhZolGC0vJWLw8iEJ88DRdyOg"))
    }

    @Test("A request token is asked for as X's documents show it")
    func requestToken() throws {
        let request = try OAuth1Request.requestToken(callback: "http://localhost/sign-in-with-twitter/", at: provider())
            .signed(for: provider(), with: stamp, cryptography: cryptography)
        #expect(request.method == "POST" && request.url == "https://api.x.com/oauth/request_token" && request.body.isEmpty)
        #expect(
            request.headers("Authorization") == [
                #"OAuth oauth_callback="http%3A%2F%2Flocalhost%2Fsign-in-with-twitter%2F", oauth_consumer_key="cChZNFj6T5R0TigYB9yd1w", "#
                    + #"oauth_nonce="ea9ec8429b68d6b77cd5600adbbb0456", oauth_signature="X9xhcB9d%2BNxXd%2FThJ%2Fn51vPhetM%3D", "#
                    + #"oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318467427", oauth_version="1.0""#
            ])
    }

    @Test("An access token is asked for with the request token's secret, the verifier in the header")
    func accessToken() throws {
        let token = OAuth1Token(
            token: Secret("NPcudxy0yU5T3tBzho7iCotZ3cnetKwcTIRlX0iwRl0"), secret: Secret("veNRnAWe6inFuo8o2u8SLLZLjolYDmDP7SzL0YfYI"))
        let stamp = OAuth1Request.Stamp(nonce: "a9900fe68e2573b27a37f10fbad6a755", timestamp: 1_318_467_427)
        let request = OAuth1Request.accessToken(for: token, verifier: Secret("uw7NjWHT6OJ1MpJOXsHfNxoAhPKpgI8BlYDhxEjIBY"), at: try provider())
            .signed(for: try provider(), with: stamp, cryptography: cryptography)
        let header = try #require(request.headers("Authorization").first)
        #expect(header.contains(#"oauth_signature="G3DdousFWwxEepaZcmHguKqeBvs%3D""#))
        #expect(header.contains(#"oauth_verifier="uw7NjWHT6OJ1MpJOXsHfNxoAhPKpgI8BlYDhxEjIBY""#))
        #expect(!header.contains("veNRnAWe6inFuo8o2u8SLLZLjolYDmDP7SzL0YfYI"))
    }

    @Test("A form is signed with the rest; other bodies are not")
    func bodies() throws {
        let token = OAuth1Token(token: Secret("t"), secret: Secret("s"))
        func signature(type: String, body: String) throws -> String {
            let request = ProviderRequest(
                method: "POST", url: "https://api.x.com/1.1/x.json", headers: [("Content-Type", type)], body: Array(body.utf8))
            let signed = OAuth1Request.authorized(request, by: token).signed(for: try provider(), with: stamp, cryptography: cryptography)
            #expect(signed.body == request.body && signed.headers.count == 2)
            return try #require(signed.headers("Authorization").first)
        }
        let form = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(try signature(type: form, body: "a=1") != signature(type: form, body: "a=2"))
        #expect(try signature(type: "application/json", body: "{}") == signature(type: "application/json", body: "[]"))
    }

    @Test("A state rides in the callback URL where it is allowed to")
    func callback() {
        #expect(OAuth1Request.callback("http://127.0.0.1:7678/x", state: nil) == "http://127.0.0.1:7678/x")
        #expect(OAuth1Request.callback("http://127.0.0.1:7678/x", state: "a_b") == "http://127.0.0.1:7678/x?state=a_b")
    }

    // MARK: The page

    @Test("The page names the request token and what the program adds, and never the callback")
    func page() throws {
        var provider = Provider.twitter()
        provider.parameters = ["lang": "en", "force_login": "true"]
        let token = OAuth1Token(token: Secret("a+b"), secret: Secret("s"))
        let url = try OAuth1Page.url(
            at: ResolvedProvider(provider), requestToken: token, parameters: ["lang": "ja"], loginHint: "ada")
        #expect(url == "https://api.x.com/oauth/authorize?oauth_token=a%2Bb&force_login=true&lang=ja&screen_name=ada")
    }

    @Test("Callers cannot set protocol parameters", arguments: ["oauth_callback", "oauth_token", "OAuth_Callback", "state"])
    func reserved(name: String) throws {
        let token = OAuth1Token(token: Secret("t"), secret: Secret("s"))
        let provider = try ResolvedProvider(.twitter())
        #expect(throws: AuthorizationRequestError.reservedParameter(name: name)) {
            try OAuth1Page.url(at: provider, requestToken: token, parameters: [name: "x"], loginHint: nil)
        }
    }

    @Test("Without its endpoints there is nothing to speak to, and each is called as the configuration calls it")
    func endpoints() {
        var provider = Provider.twitter()
        provider.endpoints.requestToken = nil
        #expect(throws: ProviderProblem.endpointMissing(.requestToken)) { try ResolvedProvider(provider) }
        provider = .twitter()
        provider.endpoints.token = nil
        #expect(throws: ProviderProblem.endpointMissing(.accessToken)) { try ResolvedProvider(provider) }
        #expect(throws: ProviderProblem.clientSecretMissing) { try ResolvedProvider(.twitter(secret: nil)) }
    }
}

@Suite("The clock of an OAuth 1.0a provider") struct OAuth1ClockTests {
    private let repeatable = OAuth1Request.authorized(
        ProviderRequest(url: "https://api.x.com/1.1/x.json"), by: OAuth1Token(token: Secret("t"), secret: Secret("s")))

    private func exchange() throws -> OAuth1Request {
        .accessToken(for: OAuth1Token(token: Secret("t"), secret: Secret("s")), verifier: Secret("v"), at: try ResolvedProvider(.twitter()))
    }

    private func refusal(_ date: String?, status: Int = 401, body: String = #"{"errors":[{"code":32,"message":"x"}]}"#) -> ProviderResponse {
        ProviderResponse(status: status, headers: date.map { [("Date", $0)] } ?? [], body: Array(body.utf8))
    }

    /// `now` is 2027-01-15T08:00:00Z.
    private let anHourLater = "Fri, 15 Jan 2027 09:00:00 GMT"

    @Test("A refusal whose date is an hour later is asked once more, an hour later")
    func behind() {
        var clock = OAuth1Clock()
        #expect(clock.timestamp(now: now) == 1_800_000_000)
        #expect(clock.answered(refusal(anHourLater), to: repeatable, dialect: Twitter(), now: now) == true)
        #expect(clock.offset == 3600 && clock.timestamp(now: now) == 1_800_003_600)
        // The same again is not about the clock.
        #expect(clock.answered(refusal(anHourLater), to: repeatable, dialect: Twitter(), now: now) == false)
        #expect(clock.offset == 3600)
    }

    @Test("A clock that has been set right since is known to be right after one more refusal")
    func setRight() {
        var clock = OAuth1Clock()
        _ = clock.answered(refusal(anHourLater), to: repeatable, dialect: Twitter(), now: now)
        #expect(clock.answered(refusal(anHourLater), to: repeatable, dialect: Twitter(), now: now.adding(seconds: 3600)) == true)
        #expect(clock.offset == 0)
    }

    @Test(
        "Other answers teach nothing",
        arguments: [
            (nil, 401), ("Fri, 15 Jan 2027 08:00:20 GMT", 401), ("yesterday", 401), ("Thu, 01 Jan 1970 00:00:00 GMT", 401),
            ("Fri, 15 Jan 2027 09:00:00 GMT", 403), ("Fri, 15 Jan 2027 09:00:00 GMT", 200), ("Fri, 15 Jan 2027 09:00:00 GMT", 500),
        ] as [(String?, Int)])
    func unmoved(date: String?, status: Int) {
        var clock = OAuth1Clock()
        #expect(clock.answered(refusal(date, status: status), to: repeatable, dialect: Twitter(), now: now) == false)
        #expect(clock == OAuth1Clock())
    }

    @Test("A verifier is sent again only where the server says that it looked at the time and no further")
    func verifier() throws {
        for (body, isRepeated) in [
            (#"{"errors":[{"code":135,"message":"Timestamp out of bounds."}]}"#, true), (#"{"errors":[{"code":32,"message":"x"}]}"#, false),
            ("oauth_problem=timestamp_refused", false), ("", false),
        ] {
            var clock = OAuth1Clock()
            #expect(clock.answered(refusal(anHourLater, body: body), to: try exchange(), dialect: Twitter(), now: now) == isRepeated)
            // What it learnt serves the next request in any case.
            #expect(clock.offset == 3600)
        }
        var clock = OAuth1Clock()
        let reported = refusal(anHourLater, body: "oauth_problem=timestamp_refused&oauth_acceptable_timestamps=1-2")
        #expect(clock.answered(reported, to: try exchange(), dialect: OAuth1Dialect(), now: now) == true)
    }

    @Test("No date leads to an invalid time")
    func extremes() {
        for date in ["Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 02 Jan 1970 00:00:00 GMT"] {
            var clock = OAuth1Clock()
            #expect(clock.answered(refusal(date), to: repeatable, dialect: Twitter(), now: now) == true)
            #expect(clock.timestamp(now: Timestamp(seconds: .max)) > 0 && clock.timestamp(now: Timestamp(seconds: 0)) > 0)
        }
    }
}
