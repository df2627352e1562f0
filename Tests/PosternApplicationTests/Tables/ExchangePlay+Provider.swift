import PosternApplication
import PosternCrypto
import StrictJSON
import TestAuthority

@testable import PosternCore

/// The provider: it expects one request after another, and answers each as the table says.
extension ExchangePlay {
    /// Made once for all cases: the real key is published, the other is not.
    private static let realKey = Result { try TestKey.rs256() }
    private static let otherKey = Result { try TestKey.rs256() }

    static func script(of scene: [Part]) throws -> [(request: Part, answer: Part)] {
        let parts = scene.filter { ["request", "answer"].contains($0.word) }
        return try stride(from: 0, to: parts.count, by: 2).map { index in
            let isWhole = parts[index].word == "request" && index + 1 < parts.count && parts[index + 1].word == "answer"
            try parts[index].require(isWhole, "a request, then its answer")
            return (parts[index], parts[index + 1])
        }
    }

    func answerRequests() {
        daemon.executor.isolated {
            daemon.provider.automatic = { [weak self] request in
                guard let self else { return nil }
                do { return try answer(to: request) } catch {
                    complaints.append("\(error)")
                    return Self.answer(500, "text/plain", "this request is not in the table")
                }
            }
        }
    }

    /// The next answer; the keys and the discovery document are had at any time.
    private func answer(to request: ProviderRequest) throws -> ScriptedProvider.Answer {
        let (url, query) = request.url.cut("?")
        if request.method == "GET", url == "\(Self.origin)/jwks" {
            let keys: JSONObject = ["keys": [.object(try setting("keys").onto(Self.publishedKey()))]]
            return Self.answer(200, "application/jwk-set+json", JSON.object(keys).text)
        }
        let metadata = try setting("metadata")
        if request.method == "GET", url == "\(Self.origin)/.well-known/openid-configuration", !metadata.isEmpty {
            return Self.answer(200, "application/octet-stream", JSON.object(metadata).text)
        }
        guard !script.isEmpty else { throw TestFailure("nobody expected \(request.method) \(request.url)") }
        let (part, answer) = script.removeFirst()
        try check(part, request, url: url, query: query)
        return try self.answer(answer)
    }

    /// What the table says of the keys or the discovery document.
    private func setting(_ word: String) throws -> JSONObject {
        try (example.shared + example.parts).last { $0.word == word }.map { try object($0, $0.rest) } ?? [:]
    }

    // MARK: Requests

    private func check(_ part: Part, _ request: ProviderRequest, url: String, query: String) throws {
        let (method, path) = part.rest.cut(" ")
        try part.require(request.method == method && url == self.url(path), "\(request.method) \(url) came")
        let headers = request.headers.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value }
        let type = headers["content-type"] ?? ""
        let form = type.contains("form-urlencoded") ? try FormEncoding.pairs(request.body) : [:]
        let found: JSONObject = [
            "header": JSON(headers), "query": JSON(try FormEncoding.pairs(query.utf8)), "form": JSON(form),
            "json": type.contains("json") ? try JSON(parsing: request.body) : [:],
        ]
        for line in part.lines {
            let negation = line.hasPrefix("not ") ? "not " : ""
            let (kind, rest) = String(line.dropFirst(negation.count)).cut(" ")
            let (name, condition) = rest.cut(" ")
            guard let document = found[kind] else { return try part.require(false, "\(kind) is no part of a request") }
            let named = kind == "header" ? name.lowercased() : name
            try part.check(negation + (condition.isEmpty ? named : "\(named) \(condition)"), document, of: "\(kind) ", filling: filled)
        }
        if let verifier = form["code_verifier"], let challenge = self.query["code_challenge"] {
            let isOurs = Base64URL.encode(OpenSSLCryptography().sha256(Array(verifier.utf8))) == challenge
            try part.require(isOurs, "the code verifier is not the one of the challenge")
        }
    }

    // MARK: Answers

    private func answer(_ part: Part) throws -> ScriptedProvider.Answer {
        let (status, type) = part.rest.cut(" ")
        guard status != "drop" else { return .failure(TransportFailure("the connection was lost", mayHaveReachedServer: true)) }
        guard let status = Int(status) else { throw TestFailure("\(part.place): this is no status") }
        let headers = part.lines.filter { $0.hasPrefix("header ") }
        var body = filled(part.lines.filter { !$0.hasPrefix("header ") }.joined(separator: "\n"))
        if type.isEmpty, case .object(var document)? = try? JSON(parsing: body), case .object(let claims)? = document["id_token"] {
            document["id_token"] = .string(try idToken(claims, accessToken: document["access_token"]?.stringValue ?? ""))
            body = JSON.object(document).text
        }
        return Self.answer(status, type.isEmpty ? "application/json" : type, body, headers: headers)
    }

    /// - Parameter headers: lines of a table.
    private static func answer(_ status: Int, _ type: String, _ body: String, headers: [String] = []) -> ScriptedProvider.Answer {
        let more = headers.map { line in
            let (name, value) = String(line.dropFirst(7)).cut(":")
            return (name: name, value: String(value.dropFirst()))
        }
        let all = more + (body.isEmpty ? [] : [(name: "Content-Type", value: type)])
        return .success(ProviderResponse(status: status, headers: all, body: Array(body.utf8)))
    }

    private static func publishedKey() throws -> JSONObject {
        guard case .rsa(let modulus, let exponent) = try realKey.get().publicKey else { throw TestFailure("an RS256 key is no RSA key") }
        return [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": "real", "n": .string(Base64URL.encode(modulus)),
            "e": .string(Base64URL.encode(exponent)),
        ]
    }

    private func idToken(_ given: JSONObject, accessToken: String) throws -> String {
        let now = daemon.clock.now.seconds
        var claims: JSONObject = ["iat": .integer(now), "exp": .integer(now + 3600)]
        claims["aud"] = example.settings.first { $0.key == "client-id" }.flatMap { try? JSON(parsing: $0.line.cut("=").1) }
        claims["nonce"] = query["nonce"].map { .string($0) }
        claims = given.onto(claims)
        let key = try (claims["$key"] == "other" ? Self.otherKey : Self.realKey).get()
        claims["$key"] = nil
        if claims["at_hash"] == true {
            claims["at_hash"] = .string(Base64URL.encode(OpenSSLCryptography().sha256(Array(accessToken.utf8)).prefix(16)))
        }
        for member in claims.members {
            if member.value == .null { claims[member.key] = nil }
            guard ["iat", "exp", "auth_time"].contains(member.key), let text = member.value.stringValue else { continue }
            claims[member.key] = Int64(text).map { .integer(now + $0) }
        }
        return try key.token(["alg": "RS256", "kid": "real"], claims)
    }
}
