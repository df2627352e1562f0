import DemoProvider
import NIOCore
import NIOPosix
import PosternCore
import PosternCrypto
import StrictJSON
import Testing

/// Its own provider for one test, and what a browser and a program would do with it.
final class DemoBrowser: Sendable {
    /// Shared: a thread for each test would be many.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    static let redirectURI = "http://127.0.0.1:7678/__/auth/handler"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let secret = "p:s/w+ ö%"

    /// One public client, one confidential one.
    static var options: DemoProviderOptions {
        DemoProviderOptions(clients: [DemoClient(), DemoClient(id: "confidential", secret: Secret(secret))])
    }

    let provider: DemoProvider
    let port: Int

    init(_ options: DemoProviderOptions = DemoBrowser.options) throws {
        provider = try DemoProvider.start(options: options, eventLoop: Self.group.next()).wait()
        port = try #require(provider.issuer.split(separator: ":").last.flatMap { Int($0) })
    }

    deinit { provider.close() }

    func send(
        _ method: String, _ target: String, host: String? = nil, headers: [(String, String)] = [], body: String? = nil
    ) throws -> Answer {
        // With its last reference the provider stops, and that could be before the answer.
        try withExtendedLifetime(self) {
            try HTTPExchange.send(method, target, port: port, host: host, headers: headers, body: body)
        }
    }

    func get(_ target: String, headers: [(String, String)] = []) throws -> Answer { try send("GET", target, headers: headers) }

    func post(_ target: String, _ pairs: [(String, String)], headers: [(String, String)] = []) throws -> Answer {
        try send("POST", target, headers: headers, body: form(pairs))
    }

    /// A good authorization request with some of its parameters changed; an empty value takes the parameter out.
    static func request(_ changes: [String: String] = [:], client: String = "postern-demo") -> [(String, String)] {
        var parameters = [
            "response_type": "code", "client_id": client, "redirect_uri": redirectURI, "scope": "openid profile email", "state": "s +/&=é",
            "nonce": "n-0S6_WzA2Mj", "code_challenge": Base64URL.encode(OpenSSLCryptography().sha256(Array(verifier.utf8))),
            "code_challenge_method": "S256",
        ]
        parameters.merge(changes) { $1 }
        return parameters.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func authorize(_ changes: [String: String] = [:], client: String = "postern-demo") throws -> Answer {
        try get("/authorize?" + form(Self.request(changes, client: client)))
    }

    /// The hidden name of the question on a consent page.
    static func requestID(on page: Answer) throws -> String {
        let mark = "name=\"request\" value=\""
        let start = try #require(page.text.firstRange(of: mark))
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Asks, answers as Ada, and gives the code.
    func code(_ changes: [String: String] = [:], client: String = "postern-demo", person: String = "ada") throws -> String {
        let id = try Self.requestID(on: try authorize(changes, client: client))
        let redirect = try post("/authorize/decision", [("request", id), ("person", person)]).redirect
        return try #require(redirect["code"])
    }

    /// A good token request for a code, changed as above.
    func redeem(_ code: String, _ changes: [String: String] = [:], headers: [(String, String)] = []) throws -> Answer {
        var parameters = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "code_verifier": Self.verifier,
            "client_id": "postern-demo",
        ]
        parameters.merge(changes) { $1 }
        return try post("/token", parameters.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }, headers: headers)
    }

    func refresh(_ token: String, _ changes: [String: String] = [:]) throws -> Answer {
        var parameters = ["grant_type": "refresh_token", "refresh_token": token, "client_id": "postern-demo"]
        parameters.merge(changes) { $1 }
        return try post("/token", parameters.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) })
    }

    func userinfo(_ token: String) throws -> Answer { try get("/userinfo", headers: [("Authorization", "Bearer \(token)")]) }
}

extension JSONObject {
    func text(_ key: String) throws -> String { try #require(self[key]?.stringValue) }
}

/// The header or the claims of a compact JWS.
func decodedPart(_ text: String) throws -> JSONObject {
    let bytes = try #require(Base64URL.decode(text))
    return try #require(try JSON(parsing: bytes).objectValue)
}
