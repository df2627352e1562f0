import PosternCore
import StrictJSON

@testable import PosternApplication

/// Issuers, each at a domain of its own, whose documents say what they like, and servers that name them.
///
/// Every secret names the issuer that made it. Whoever owns a domain owns every host in it, so what may be sent where needs no rule of the
/// daemon: a code, a token or a client secret of an issuer is sent to that issuer's domain, and to nobody else.
@DaemonActor
final class IssuerWorld {
    nonisolated static let issuers = ["a", "b", "e"]
    nonisolated static let servers = ["one", "two"]
    nonisolated static let configuration = servers.map { "[mcp.\($0)]\nurl = \"https://\($0).test/mcp\"\n" }.joined()

    private static let members = [
        "authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint", "device_authorization_endpoint",
    ]

    /// By issuer: the host at which a member's endpoint is.
    private var hosts: [String: [String: String]] = [:]
    /// What its metadata call it.
    private var claims: [String: String] = [:]
    private var saysWho: [String: Bool] = [:]
    /// By server.
    private(set) var named = ["one": "a", "two": "b"]
    /// By domain: what was registered there.
    private var redirectURIs: [String: Set<String>] = [:]
    private var used: Set<String> = []
    private var approved: Set<String> = []
    private var count = 0
    private(set) var problem: String?
    /// What happened, so that a world in which nothing happens is noticed.
    private(set) var grants = 0
    private(set) var refusals = 0

    nonisolated init() {}

    // MARK: What its people do

    func names(_ server: Int, _ issuer: Int) { named[Self.servers[server % 2]] = Self.issuers[issuer % 3] }

    /// An issuer says that an endpoint is at another host, or at its own again.
    func moves(_ issuer: Int, _ member: Int, to host: Int) {
        let (issuer, member) = (Self.issuers[issuer % 3], Self.members[member % Self.members.count])
        let places = [issuer + ".test", "login." + issuer + ".test"] + Self.issuers.map { $0 + ".test" }
        hosts[issuer, default: [:]][member] = places[host % places.count]
    }

    func settles(_ issuer: Int) {
        let issuer = Self.issuers[issuer % 3]
        (hosts[issuer], claims[issuer]) = (nil, nil)
    }

    func claims(_ issuer: Int, _ other: Int) { claims[Self.issuers[issuer % 3]] = Self.issuers[other % 3] }

    /// Whether its answers name it (RFC 9207).
    func saysWho(_ issuer: Int, _ says: Bool) { saysWho[Self.issuers[issuer % 3]] = says }

    func approves(_ issuer: String) { approved.formUnion((0...count).map { "dc-\(issuer)-\($0)" }) }

    func isNamed(_ issuer: String) -> Bool { saysWho[issuer] ?? false }

    /// A code of this issuer for this redirect URI; nil if it does not know the URI.
    func code(of issuer: String, for redirectURI: String) -> String? {
        redirectURIs[issuer]?.contains(redirectURI) == true ? made("code", issuer) : nil
    }

    /// Where a client of this issuer is sent back to.
    func redirectURI(at issuer: String) -> String? { redirectURIs[issuer]?.sorted().first }

    func made(_ kind: String, _ issuer: String) -> String {
        count += 1
        return "\(kind)-\(issuer)-\(count)"
    }

    // MARK: Answers

    /// `https://login.a.test/token` is `a`'s.
    nonisolated static func owner(of url: String) -> String { url.urlHost.split(separator: ".").dropLast().last.map(String.init) ?? "" }

    /// Every secret of an issuer that is in it, by the issuer.
    private static func secrets(in request: ProviderRequest) -> [(issuer: String, text: String)] {
        let text = ([request.url] + request.headers.map(\.value) + [String(decoding: request.body, as: UTF8.self)]).joined(separator: " ")
        return text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }).compactMap { word in
            let parts = word.split(separator: "-")
            guard parts.count == 3, ["code", "at", "rt", "dc", "cs"].contains(String(parts[0])) else { return nil }
            return (String(parts[1]), String(word))
        }
    }

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer {
        let owner = Self.owner(of: request.url)
        for secret in Self.secrets(in: request) where secret.issuer != owner { problem = problem ?? "\(secret.text) was sent to \(request.url)" }
        let parts = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let path = parts.count > 2 ? "/" + parts[2].prefix { $0 != "?" } : "/"
        if Self.servers.contains(owner) { return server(owner, path) }
        let form = request.form
        switch path {
        case "/.well-known/oauth-authorization-server": return Self.response(200, metadata(of: owner))
        case "/register": return register(request, owner)
        case "/device":
            let code = made("dc", owner)
            return Self.response(
                200,
                [
                    "device_code": .string(code), "user_code": "ABCD-EFGH", "verification_uri": .string("https://\(owner).test/code"),
                    "expires_in": 600, "interval": 5,
                ])
        case "/token": return token(form, owner)
        case "/revoke": return Self.response(200, [:])
        default: return Self.response(404, [:])
        }
    }

    private func server(_ name: String, _ path: String) -> ScriptedProvider.Answer {
        guard path == "/mcp" else {
            guard path == "/meta" else { return Self.response(404, [:]) }
            let issuer: JSON = .string("https://\(named[name] ?? "a").test")
            return Self.response(
                200, ["resource": .string("https://\(name).test/mcp"), "authorization_servers": [issuer], "scopes_supported": ["read"]])
        }
        return .success(
            ProviderResponse(
                status: 401, headers: [("WWW-Authenticate", "Bearer resource_metadata=\"https://\(name).test/meta\"")], body: []))
    }

    private func metadata(of issuer: String) -> JSONObject {
        var metadata: JSONObject = [
            "issuer": .string("https://\(claims[issuer] ?? issuer).test"), "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["read"], "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
            "authorization_response_iss_parameter_supported": .bool(isNamed(issuer)),
        ]
        let places = [
            "authorization_endpoint": "authorize", "token_endpoint": "token", "registration_endpoint": "register", "revocation_endpoint": "revoke",
            "device_authorization_endpoint": "device",
        ]
        for member in Self.members {
            metadata[member] = .string("https://\(hosts[issuer]?[member] ?? "\(issuer).test")/\(places[member] ?? "")")
        }
        return metadata
    }

    private func register(_ request: ProviderRequest, _ owner: String) -> ScriptedProvider.Answer {
        guard case .object(let asked)? = try? JSON(parsing: request.body) else { return Self.response(400, [:]) }
        for uri in asked["redirect_uris"]?.arrayValue ?? [] { if let uri = uri.stringValue { redirectURIs[owner, default: []].insert(uri) } }
        return Self.response(
            201,
            [
                "client_id": .string("client-of-\(owner)"), "client_secret": .string(made("cs", owner)),
                "token_endpoint_auth_method": "client_secret_post",
            ])
    }

    private func token(_ form: [String: String], _ owner: String) -> ScriptedProvider.Answer {
        let given = form["code"] ?? form["refresh_token"] ?? form["device_code"] ?? ""
        if form["device_code"] != nil, !approved.contains(given) { return Self.response(400, ["error": "authorization_pending"]) }
        guard given.split(separator: "-").dropFirst().first.map(String.init) == owner, used.insert(given).inserted else {
            refusals += 1
            return Self.response(400, ["error": "invalid_grant"])
        }
        grants += 1
        return Self.response(
            200,
            [
                "token_type": "Bearer", "expires_in": 300, "access_token": .string(made("at", owner)),
                "refresh_token": .string(made("rt", owner)),
            ])
    }

    private static func response(_ status: Int, _ document: JSONObject) -> ScriptedProvider.Answer {
        .success(ProviderResponse(status: status, headers: [("Content-Type", "application/json")], body: document.serialized))
    }
}

extension String {
    /// Of a URL, without a port.
    fileprivate var urlHost: Substring {
        let rest = split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        return rest.count > 1 ? rest[1].prefix { $0 != ":" } : ""
    }
}
