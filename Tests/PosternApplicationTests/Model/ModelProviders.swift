import PosternApplication
import PosternCore
import PosternCrypto
import StrictJSON

/// Three providers, whose accounts say what the model's do: two that are trusted with addresses, one of them an OpenID provider, and one that
/// is not.
///
/// Unchecked: only the actor's steps and the test that takes them use it.
final class ModelProviders: @unchecked Sendable {
    static let configuration = """
        [provider.work]
        kind = "oidc"
        issuer = "https://work.example"
        client-id = "client"
        trust-email = true
        [provider.mail]
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://mail.example/authorize"
        token-endpoint = "https://mail.example/token"
        userinfo-endpoint = "https://mail.example/userinfo"
        introspection-endpoint = "https://mail.example/introspect"
        device-authorization-endpoint = "https://mail.example/device"
        profile = { uid = "data.id", email = "data.email" }
        trust-email = true
        [provider.plain]
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://plain.example/authorize"
        token-endpoint = "https://plain.example/token"
        userinfo-endpoint = "https://plain.example/userinfo"
        introspection-endpoint = "https://plain.example/introspect"
        device-authorization-endpoint = "https://plain.example/device"
        profile = { uid = "id", email = "email" }
        [provider.extra]
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://extra.example/authorize"
        token-endpoint = "https://extra.example/token"
        userinfo-endpoint = "https://extra.example/userinfo"
        profile = { uid = "id", email = "email", username = "login" }
        [account.ada]
        provider = "extra"
        login = "ada@e.example"
        """

    private static let metadata: JSONObject = [
        "issuer": "https://work.example", "authorization_endpoint": "https://work.example/authorize",
        "token_endpoint": "https://work.example/token", "userinfo_endpoint": "https://work.example/userinfo",
        "introspection_endpoint": "https://work.example/introspect", "device_authorization_endpoint": "https://work.example/device",
        "jwks_uri": "https://work.example/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    ]

    private let key: SigningKey
    private let keys: JSONObject
    /// What a code, or a code for another device, was answered with, and the nonce that the ID token repeats.
    private var answers: [String: (account: AccountModel.Account, nonce: String?)] = [:]
    private var accounts: [String: AccountModel.Account] = [:]
    /// Of the provider of the named account, by code and then by access token.
    private var profiles: [String: JSONObject] = [:]
    /// Authorization codes and refresh tokens that were sent here.
    private var sent: Set<String> = []
    /// What no client may do.
    private(set) var problem: String?
    private var count = 0
    var now: () -> Int64 = { 0 }
    /// Where a "no" stands: beside the address, in another document, or at the top.
    var place = 0

    init() throws {
        key = try SigningKey.generateES256()
        guard case .p256(let x, let y) = key.publicKey else { throw TestFailure("an ES256 key is not on P-256") }
        keys = [
            "keys": [["kty": "EC", "crv": "P-256", "use": "sig", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y))]]
        ]
    }

    func serve(_ daemon: TestApplication) {
        daemon.executor.isolated { daemon.provider.automatic = { [unowned self] in answer(to: $0) } }
    }

    // MARK: What the person does

    func code(of account: AccountModel.Account, nonce: String?) -> String {
        count += 1
        answers["code-\(count)"] = (account, nonce)
        return "code-\(count)"
    }

    /// At the provider of the named account.
    func code(of profile: JSONObject) -> String {
        count += 1
        profiles["code-\(count)"] = profile
        return "code-\(count)"
    }

    /// Whose it is, at the provider of the named account.
    func profile(ofToken token: String) -> JSONObject? { profiles[token] }

    func approve(_ userCode: String, _ account: AccountModel.Account) { answers["device-\(userCode)"] = (account, nil) }

    /// The code was not sent to its provider.
    func isUnused(_ code: String) -> Bool { answers[code] != nil }

    /// The code was asked about, and its tokens were given.
    func isTaken(_ userCode: String) -> Bool { answers["device-\(userCode)"] == nil }

    func accessToken(of account: AccountModel.Account) -> String {
        count += 1
        accounts["at-\(count)"] = account
        return "at-\(count)"
    }

    func idToken(of account: AccountModel.Account, nonce: String?) -> String {
        var claims: JSONObject = [
            "iss": "https://work.example", "aud": "client", "sub": .string(account.subject), "iat": .integer(now()),
            "exp": .integer(now() + 600), "jti": .integer(Int64(count)),
        ]
        count += 1
        if let nonce { claims["nonce"] = .string(nonce) }
        if let email = account.email, account.word != false || place != 2 { claims["email"] = .string(email) }
        if let word = account.word, account.email != nil { claims["email_verified"] = .bool(word) }
        let header: JSONObject = ["alg": "ES256", "typ": "JWT"]
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
        guard let signature = try? key.sign(Array(input.utf8)) else { return input }
        return "\(input).\(Base64URL.encode(signature))"
    }

    // MARK: What the daemon asks

    private func answer(to request: ProviderRequest) -> ScriptedProvider.Answer? {
        let parts = request.url.split(separator: "/", maxSplits: 2)
        let path = "/" + (parts.last.map { $0.split(separator: "?")[0] } ?? "")
        var form: [String: String] = [:]
        for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { form[parts[0]] = parts[1] }
        }
        switch path {
        case "/.well-known/openid-configuration": return json(Self.metadata)
        case "/keys": return json(keys)
        case "/device":
            count += 1
            return json([
                "device_code": .string("device-U\(count)"), "user_code": .string("U\(count)"),
                "verification_uri": "https://work.example/go", "expires_in": 600, "interval": 5,
            ])
        case "/token": return tokens(for: form, isOpenID: request.url.hasPrefix("https://work."))
        case "/userinfo":
            let token = request.headers.first { $0.name == "Authorization" }?.value.split(separator: " ").last.map(String.init) ?? ""
            if let profile = profiles[token] { return json(profile) }
            return accounts[token].map { json(profile(of: $0)) } ?? json(["error": "invalid_token"], status: 401)
        case "/introspect":
            let isKnown = accounts[form["token"] ?? ""] != nil
            return json(isKnown ? ["active": true, "client_id": "client"] : ["active": false])
        default: return json([:])
        }
    }

    private func tokens(for form: [String: String], isOpenID: Bool) -> ScriptedProvider.Answer {
        if let once = form["code"] ?? form["refresh_token"], !sent.insert(once).inserted { problem = "\(once) was sent twice" }
        if let token = form["refresh_token"] {
            count += 1
            let (old, new) = ("at-\(token.dropFirst(3))", "at-\(count)")
            accounts[new] = accounts[old]
            profiles[new] = profiles[old]
            return json(["access_token": .string(new), "token_type": "Bearer", "expires_in": 3600, "refresh_token": .string("rt-\(count)")])
        }
        if let code = form["code"], let profile = profiles.removeValue(forKey: code) {
            count += 1
            profiles["at-\(count)"] = profile
            return json(["access_token": .string("at-\(count)"), "token_type": "Bearer", "expires_in": 3600])
        }
        guard let code = form["code"] ?? form["device_code"], let (account, nonce) = answers.removeValue(forKey: code) else {
            return json(["error": form["device_code"] == nil ? "invalid_grant" : "authorization_pending"], status: 400)
        }
        var answer: JSONObject = [
            "access_token": .string(accessToken(of: account)), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": .string("rt-\(count)"),
        ]
        if isOpenID { answer["id_token"] = .string(idToken(of: account, nonce: nonce)) }
        return json(answer)
    }

    private func profile(of account: AccountModel.Account) -> JSONObject {
        switch account.provider {
        case .work:
            var document: JSONObject = ["sub": .string(account.subject)]
            if let email = account.email { document["email"] = .string(email) }
            // A "no" stands in the ID token alone, unless the place is here.
            if let word = account.word, account.email != nil, word || place == 0 { document["email_verified"] = .bool(word) }
            return document
        case .mail:
            var data: JSONObject = ["id": .string(account.subject)]
            if let email = account.email { data["email"] = .string(email) }
            var document: JSONObject = [:]
            if let word = account.word, account.email != nil {
                if word || place != 1 { data["email_verified"] = .bool(word) } else { document["email_verified"] = .bool(word) }
            }
            document["data"] = .object(data)
            return document
        case .plain:
            var document: JSONObject = ["id": .string(account.subject)]
            if let email = account.email { document["email"] = .string(email) }
            if let word = account.word, account.email != nil { document["email_verified"] = .bool(word) }
            return document
        }
    }

    private func json(_ object: JSONObject, status: Int = 200) -> ScriptedProvider.Answer {
        .success(ProviderResponse(status: status, headers: [("Content-Type", "application/json")], body: object.serialized))
    }
}
