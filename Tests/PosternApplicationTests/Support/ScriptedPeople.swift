import PosternApplication
import PosternCore
import StrictJSON

/// Providers that know everybody: the code `eve` is the account `eve` with the address `eve@example.com`, and `eve.ada` the account `eve`
/// with the address `ada@example.com`. They answer at once, but for what is held.
@DaemonActor
final class ScriptedPeople {
    /// Who typed the device code of each provider.
    nonisolated(unsafe) var typed: [String: String] = [:]
    /// Requests to this URL wait for the test.
    nonisolated(unsafe) var held: String?
    /// Whether the address is verified, as every profile says; nil: none says it.
    nonisolated(unsafe) var verified: JSON?
    /// Other profiles than that, by the code.
    nonisolated(unsafe) var profiles: [String: JSONObject] = [:]
    /// What every grant has otherwise: a member, or nothing in its place.
    nonisolated(unsafe) var grants: [String: JSON?] = [:]
    /// What else is served, by its URL.
    nonisolated(unsafe) var documents: [String: JSONObject] = [:]
    private nonisolated(unsafe) var tokens = 0
    nonisolated let project: ScriptedProject?

    nonisolated init(project: ScriptedProject?) { self.project = project }

    /// From now on they are asked.
    nonisolated func answer(_ daemon: TestApplication) {
        project?.clock = daemon.clock
        daemon.executor.isolated { daemon.provider.automatic = { [weak self] in self?.answer(to: $0) } }
    }

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer? {
        if request.url == held { return nil }
        if let document = documents[request.url] { return Self.answer(document) }
        let path = "/" + (request.url.split(separator: "/").last ?? "")
        if !request.host.hasSuffix(".example") { return project?.answer(to: request) }
        return reply(to: request, path: path).map { Self.answer($0.0, status: $0.1) }
    }

    private func reply(to request: ProviderRequest, path: String) -> (JSONObject, Int)? {
        switch path {
        case "/token":
            let form = request.form
            if form["device_code"] == nil, let person = form["code"] ?? form["refresh_token"]?.person { return (grant(of: person), 200) }
            guard let person = typed[request.host] else { return (["error": "authorization_pending"], 400) }
            return (grant(of: person), 200)
        case "/userinfo":
            let header = request.headers.first { $0.name == "Authorization" }?.value
            return (profile(of: header?.person ?? ""), 200)
        case "/introspect":
            return (["active": true, "client_id": "client"], 200)
        case "/device":
            return (
                [
                    "device_code": "dc", "user_code": "AB-CD", "verification_uri": .string("https://\(request.host)/go"),
                    "expires_in": 900, "interval": 5,
                ], 200
            )
        case "/revoke": return ([:], 200)
        default: return nil
        }
    }

    private func grant(of person: String) -> JSONObject {
        tokens += 1
        var grant: JSONObject = [
            "access_token": .string("at-\(person)-\(tokens)"), "refresh_token": .string("rt-\(person)-\(tokens)"), "token_type": "Bearer",
            "expires_in": 3600,
        ]
        for (name, member) in grants { grant[name] = member }
        return grant
    }

    private func profile(of person: String) -> JSONObject {
        if let profile = profiles[person] { return profile }
        var profile: JSONObject = ["id": .string(person.subject), "name": .string(person.subject), "email": .string(person.address)]
        profile["email_verified"] = verified
        return profile
    }

    static func answer(_ object: JSONObject, status: Int = 200) -> ScriptedProvider.Answer {
        .success(ProviderResponse(status: status, headers: [("Content-Type", "application/json")], body: object.serialized))
    }
}

extension String {
    /// Of `at-eve.ada-7`, and of a header with it.
    var person: String { split(separator: "-").dropFirst().first.map(String.init) ?? "" }

    var subject: String { String(split(separator: ".")[0]) }

    /// In lower case, as accounts have it.
    var address: String { "\(split(separator: ".").last ?? "")@example.com" }
}
