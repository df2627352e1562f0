@testable import PosternCore
import StrictJSON
import Testing

@Suite("A client document")
struct ClientDocumentTests {
    private static let url = "https://example.org/postern/client.json"
    private static let redirectURI = "http://127.0.0.1:7678/__/auth/handler"

    private func checked(_ response: ProviderResponse, url: String = Self.url, redirectURI: String = Self.redirectURI) throws {
        try ClientDocument.check(response, of: ClientDocument.url(url), redirectURI: redirectURI, now: now)
    }

    private func published(port: Int = 7678) throws -> JSONObject {
        try #require(JSON(parsing: Array(ClientDocument.text(url: EndpointURL(Self.url), port: port).utf8)).objectValue)
    }

    private func answer(_ document: JSONObject) -> ProviderResponse { .json(JSON.object(document).text) }

    @Test("names the redirect URIs of the held port, and those without one")
    func text() throws {
        #expect(
            try ClientDocument.text(url: EndpointURL(Self.url), port: 7678) == """
                {
                  "client_id": "https://example.org/postern/client.json",
                  "client_name": "Postern",
                  "client_uri": "https://example.org/postern",
                  "redirect_uris": ["http://127.0.0.1:7678/__/auth/handler","http://[::1]:7678/__/auth/handler",\
                "http://localhost:7678/__/auth/handler","http://127.0.0.1/__/auth/handler","http://[::1]/__/auth/handler",\
                "http://localhost/__/auth/handler"],
                  "grant_types": ["authorization_code","refresh_token"],
                  "response_types": ["code"],
                  "token_endpoint_auth_method": "none",
                  "application_type": "native"
                }

                """)
        #expect(try ClientDocument.text(url: EndpointURL("https://example.org/client.json"), port: 1).holds(#""client_uri": "https://example.org","#))
        let longest = "https://example.org/" + String(repeating: "a", count: 2028)
        #expect(try ClientDocument.text(url: EndpointURL(longest), port: 65535).utf8.count <= ClientDocument.mostBytes)
    }

    @Test("that Postern wrote passes, for each of its redirect URIs and with each JSON type")
    func own() throws {
        for uri in ClientDocument.redirectURIs(port: 7678) { try checked(answer(published()), redirectURI: uri) }
        for type in ["application/json; charset=utf-8", "Application/JSON", "application/client+json ; a=b"] {
            var response = answer(try published())
            response.headers = [("content-type", type)]
            try checked(response)
        }
    }

    @Test(
        "has a URL that can be a client ID",
        arguments: ["https://example.org/a", "https://example.org/a/", "https://example.org:8443/a?b=c", "https://localhost/a", "https://example.org//"])
    func url(text: String) throws { #expect(try ClientDocument.url(text).text == text) }

    @Test(
        "has no URL that cannot",
        arguments: [
            ("https://example.org", .withoutPath), ("https://example.org/", .withoutPath), ("https://example.org?a", .withoutPath),
            ("http://localhost/client.json", .notHTTPS), ("http://127.0.0.1:8000/client.json", .notHTTPS),
            ("http://example.org/a", .urlInvalid(.plainHTTP(host: "example.org"))), ("https://example.org/a#b", .urlInvalid(.fragment)),
            ("https://u@example.org/a", .urlInvalid(.userInformation)), ("https://example.org/./a", .urlInvalid(.dotSegment)),
            ("https://example.org/a/..", .urlInvalid(.dotSegment)), ("https://example.org/%2E%2e/a", .urlInvalid(.dotSegment)),
            ("file:///client.json", .urlInvalid(.unsupportedScheme)), ("client.json", .urlInvalid(.notAbsolute)),
            ("https://example.org/a b", .urlInvalid(.forbiddenCharacter)), ("", .urlInvalid(.notAbsolute)),
        ] as [(String, ClientDocumentError)])
    func noURL(text: String, error: ClientDocumentError) {
        #expect(throws: error) { try ClientDocument.url(text) }
    }

    @Test("is read with bounds, at an address that the configuration names")
    func request() throws {
        let request = ClientDocument.request(for: try ClientDocument.url(Self.url))
        #expect(request.url == Self.url && request.method == "GET" && request.addresses == .any)
        #expect(request.mostBodyBytes == 5120 && request.longestSeconds == 10)
    }

    @Test(
        "with another member than an issuer wants is refused, and the sentence says which",
        arguments: [
            ("client_id", nil, "in which client_id is missing"),
            ("client_id", "https://example.org/postern/Client.json", "whose client_id is https://example.org/postern/Client.json"),
            ("client_id", "https://example.org:443/postern/client.json", "whose client_id is https://example.org:443/postern/client.json"),
            ("client_id", "\u{1B}", "whose client_id is nothing"),
            ("client_name", nil, "in which client_name is missing"),
            ("client_secret", "a", "with client_secret"),
            ("client_secret", .null, "with client_secret"),
            ("client_secret_expires_at", 0, "with client_secret_expires_at"),
            ("token_endpoint_auth_method", nil, "whose token_endpoint_auth_method is missing"),
            ("token_endpoint_auth_method", "client_secret_basic", "whose token_endpoint_auth_method is client_secret_basic"),
            ("token_endpoint_auth_method", "private_key_jwt", "whose token_endpoint_auth_method is private_key_jwt"),
            ("redirect_uris", nil, "in which redirect_uris is missing"),
            ("redirect_uris", "http://127.0.0.1:7678/__/auth/handler", "in which redirect_uris must be an array, but is a string"),
            ("redirect_uris", [["http://127.0.0.1:7678/__/auth/handler"]], "in which redirect_uris[0] must be a string, but is an array"),
            ("redirect_uris", [], "whose redirect_uris lack http://127.0.0.1:7678/__/auth/handler"),
        ] as [(String, JSON?, String)])
    func refused(member: String, value: JSON?, sentence: String) throws {
        var document = try published()
        document[member] = value
        let error = #expect(throws: ClientDocumentError.self) { try checked(answer(document)) }
        let message = error?.description ?? ""
        #expect(message.hasPrefix("has a document \(sentence)"), "\(message)")
    }

    @Test(
        "lists the redirect URI itself, with its port and its host",
        arguments: [
            "http://127.0.0.1:7679/__/auth/handler", "http://127.0.0.2:7678/__/auth/handler", "http://localhost:7679/__/auth/handler",
            "https://127.0.0.1:7678/__/auth/handler", "http://127.0.0.1:7678/__/auth/handler/work", "http://127.0.0.1:7678/__/auth/handler/",
        ])
    func otherRedirectURI(uri: String) throws {
        #expect(throws: ClientDocumentError.redirectURIMissing(uri)) { try checked(answer(published()), redirectURI: uri) }
    }

    @Test(
        "that is not served as a JSON object is refused",
        arguments: [
            (301, "application/json", "", .redirected), (302, "application/json", "{}", .redirected), (304, "", "", .redirected),
            (404, "text/html", "", .refused(status: 404)), (201, "application/json", "{}", .refused(status: 201)),
            (503, "", "", .transient(TransientFailure(status: 503))), (200, "text/html", "<html></html>", .otherType("text/html")),
            (200, "", "{}", .otherType("nothing")), (200, "text/json", "{}", .otherType("text/json")),
            (200, "application/jsonp", "{}", .otherType("application/jsonp")), (200, "application/json", "<html></html>", .notJSON(.webPage)),
            (200, "application/json", "[]", .notAnObject(found: "an array")),
            (200, "application/json", String(repeating: " ", count: 5121), .tooLarge),
        ] as [(Int, String, String, ClientDocumentError)])
    func badAnswer(status: Int, type: String, body: String, error: ClientDocumentError) {
        let response = ProviderResponse(status: status, headers: [("Content-Type", type)], body: Array(body.utf8))
        #expect(throws: error) { try checked(response) }
    }
}
