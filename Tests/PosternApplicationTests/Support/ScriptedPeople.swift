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
    private nonisolated(unsafe) var tokens = 0
    nonisolated let project: ScriptedProject?

    nonisolated init(project: ScriptedProject?) { self.project = project }

    /// From now on they are asked.
    nonisolated func answer(_ daemon: TestApplication) {
        daemon.executor.isolated { daemon.provider.automatic = { [weak self] in self?.answer(to: $0) } }
    }

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer? {
        if request.url == held { return nil }
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

/// A Firebase project whose users are those of ``ScriptedPeople``. It applies Firebase's own rules, which know nothing of a recent link.
///
/// The provider `work` is the authority for every address, the others for none.
@DaemonActor
final class ScriptedProject {
    struct Member {
        var email: String?
        var password: String?
        var accounts: [(providerID: String, subject: String, email: String)] = []
        var isProved = false
        var hasFactor = false

        var providerIDs: [String] { accounts.map(\.providerID) + (password == nil ? [] : ["password"]) }
    }

    nonisolated(unsafe) var members: [String: Member] = [:]
    private nonisolated(unsafe) var made = 0
    /// Whose first factor was right.
    private nonisolated(unsafe) var pending: [String: String] = [:]
    /// What it does is done, and its answers do not arrive.
    nonisolated(unsafe) var answersAreLost = false
    /// What it was asked, in order.
    private(set) nonisolated(unsafe) var asked: [String] = []
    private static let factors: JSON = [["mfaEnrollmentId": "f1", "totpInfo": [:], "enrolledAt": "2026-01-01T00:00:00Z"]]

    nonisolated init() {}

    nonisolated func requireFactor(of uid: String) { members[uid]?.hasFactor = true }

    nonisolated func uid(of subject: String, at providerID: String) -> String? {
        members.first { $0.value.accounts.contains { $0.providerID == providerID && $0.subject == subject } }?.key
    }

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer {
        let method = String(request.url.split(whereSeparator: { $0 == ":" || $0 == "/" }).last ?? "")
        asked.append(method)
        guard request.host == FirebaseProject.identityToolkit, case .object(let body)? = try? JSON(parsing: request.body) else {
            let uid = request.form["refresh_token"]?.person ?? ""
            return ScriptedPeople.answer([
                "id_token": .string(token(uid)), "refresh_token": .string("rt-\(uid)"), "expires_in": "3600",
            ])
        }
        let word: String
        let reply = reply(to: method, body)
        if answersAreLost { return .failure(TransportFailure("the connection was lost", mayHaveReachedServer: true)) }
        switch reply {
        case .success(let reply): return ScriptedPeople.answer(reply)
        case .failure(let refusal): word = refusal.description
        }
        return ScriptedPeople.answer(["error": ["message": .string(word)]], status: 400)
    }

    private func reply(to method: String, _ body: JSONObject) -> Result<JSONObject, TestFailure> {
        let user = body["idToken"]?.stringValue.map(Self.uid)
        switch method {
        case "signInWithIdp": return presented(body, user)
        case "signUp":
            let email = body["email"]?.stringValue
            if let email, members.contains(where: { $0.value.email == email && $0.key != user }) { return .failure(TestFailure("EMAIL_EXISTS")) }
            let uid = user ?? newUID()
            members[uid, default: Member()].email = email
            members[uid]?.password = body["password"]?.stringValue
            return entered(uid)
        case "signInWithPassword":
            let found = members.first { $0.value.email == body["email"]?.stringValue && $0.value.password == body["password"]?.stringValue }
            guard let found else { return .failure(TestFailure("INVALID_LOGIN_CREDENTIALS")) }
            return entered(found.key)
        case "finalize":
            guard let uid = body["mfaPendingCredential"]?.stringValue.flatMap({ pending[$0] }) else {
                return .failure(TestFailure("INVALID_MFA_PENDING_CREDENTIAL"))
            }
            return .success(tokens(uid, factor: "f1"))
        case "lookup":
            guard let user, let member = members[user] else { return .failure(TestFailure("USER_NOT_FOUND")) }
            return .success(["users": [.object(described(user, member))]])
        case "update":
            guard let user, members[user] != nil else { return .failure(TestFailure("USER_NOT_FOUND")) }
            if let email = body["email"]?.stringValue {
                members[user]?.email = email
                members[user]?.isProved = false
            }
            if let password = body["password"]?.stringValue { members[user]?.password = password }
            for providerID in body["deleteProvider"]?.arrayValue ?? [] {
                members[user]?.accounts.removeAll { $0.providerID == providerID.stringValue }
                if providerID == "password" { members[user]?.password = nil }
            }
            return .success(tokens(user, factor: body["idToken"]?.stringValue.flatMap(Self.factor)))
        case "delete":
            members[user ?? ""] = nil
            return .success([:])
        default: return .failure(TestFailure("OPERATION_NOT_ALLOWED"))
        }
    }

    private func presented(_ body: JSONObject, _ user: String?) -> Result<JSONObject, TestFailure> {
        let form = ProviderRequest.members(ofForm: body["postBody"]?.stringValue ?? "")
        let providerID = form["providerId"] ?? ""
        let person = form["access_token"]?.person ?? form["id_token"].map(Self.uid) ?? ""
        let account = (providerID: providerID, subject: person.subject, email: person.address)
        let owner = uid(of: person.subject, at: providerID)
        if let user {
            guard owner == nil else { return .success(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]) }
            members[user]?.accounts.append(account)
            if members[user]?.email == nil { members[user]?.email = account.email }
            return .success(tokens(user))
        }
        if let owner { return entered(owner) }
        guard body["autoCreate"] != false else { return .failure(TestFailure("USER_NOT_FOUND")) }
        let isAuthority = providerID == "work"
        if let (uid, member) = members.first(where: { $0.value.email == account.email }) {
            guard isAuthority else {
                return .success(["needConfirmation": true, "email": .string(account.email), "verifiedProvider": .array(member.providerIDs.map(JSON.string))])
            }
            if !member.isProved {
                members[uid]?.accounts = []
                members[uid]?.password = nil
            }
            members[uid]?.accounts.removeAll { $0.providerID == providerID }
            members[uid]?.accounts.append(account)
            members[uid]?.isProved = true
            return entered(uid)
        }
        let uid = newUID()
        members[uid] = Member(email: account.email, accounts: [account], isProved: isAuthority)
        return entered(uid)
    }

    private func newUID() -> String {
        made += 1
        return "u\(made)"
    }

    private func entered(_ uid: String) -> Result<JSONObject, TestFailure> {
        guard members[uid]?.hasFactor == true else { return .success(tokens(uid)) }
        let credential = "pending\(pending.count)"
        pending[credential] = uid
        return .success([
            "mfaPendingCredential": .string(credential),
            "mfaInfo": Self.factors,
        ])
    }

    private func tokens(_ uid: String, factor: String? = nil) -> JSONObject {
        ["idToken": .string(token(uid, factor: factor)), "refreshToken": .string("rt-\(uid)"), "expiresIn": "86400", "localId": .string(uid)]
    }

    private func token(_ uid: String, factor: String? = nil) -> String {
        var firebase: JSONObject = ["sign_in_provider": "custom"]
        firebase["second_factor_identifier"] = factor.map(JSON.string)
        let claims: JSONObject = ["sub": .string(uid), "aud": "demo", "auth_time": 1_800_000_000, "firebase": .object(firebase)]
        let header: JSONObject = ["alg": "RS256", "kid": "1", "typ": "JWT"]
        return [header.serialized, claims.serialized, Array("signature".utf8)].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    private static func uid(of token: String) -> String { claims(of: token)["sub"]?.stringValue ?? "" }

    private static func factor(of token: String) -> String? {
        claims(of: token)["firebase"]?.objectValue?["second_factor_identifier"]?.stringValue
    }

    private static func claims(of token: String) -> JSONObject {
        let payload = Base64URL.decode(String(token.split(separator: ".")[1])) ?? []
        guard case .object(let claims)? = try? JSON(parsing: payload) else { return JSONObject() }
        return claims
    }

    private func described(_ uid: String, _ member: Member) -> JSONObject {
        var accounts: [JSON] = member.accounts.map {
            ["providerId": .string($0.providerID), "rawId": .string($0.subject), "email": .string($0.email)]
        }
        if let email = member.email, member.password != nil {
            accounts.append(["providerId": "password", "rawId": .string(email), "email": .string(email)])
        }
        var user: JSONObject = ["localId": .string(uid), "providerUserInfo": .array(accounts), "emailVerified": .bool(member.isProved)]
        user["email"] = member.email.map(JSON.string)
        if member.hasFactor { user["mfaInfo"] = Self.factors }
        return user
    }
}
