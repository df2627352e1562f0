import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A file in `Firebase/` contains cases. `== NUMBER NAME` begins one; below it each line is a step, and they run in order:
///
///     ACTION argument=value … -> OUTCOME what=value …
///
/// Words that contain blanks are quoted. `app=NAME` before other arguments chooses the app. The actions:
///
///     user NAME email= password= verified= name= google= facebook=      a user whom the project already has
///     server key=value            how the project behaves: one_account, enumeration_protection, disabled, clock, lifetime
///     disable NAME, forget NAME, revoke NAME   by the project's administrator
///     fails CALL status= body=    the next response to that call; the body extends to the end of the line
///     google, facebook, work      an ID token of that provider: sub= email= verified= name= picture= intent=
///     password email= password= intent=
///     handle intent=              the credential of the last error
///     anonymous, create, update, unlink, providers, current, token, sign-out, delete, enroll, remove
///     confirm, start, resolve     with the last enrolment or resolver; code=right is the right code
///     restart                     kill -9, and a new start of the daemon
///     asked CALL                  what the last request to the project had; `-> COUNT n` how many there were
///
/// The outcome is `ok`, or an error's name. In the checks that follow it, `uid=@A` binds the name A the first time and requires the same
/// value afterwards, `uid=!A` differs from A; `~text` is contained, `none` is absent. A list is written with commas.
@Suite("The tables of a Firebase project's accounts", .serialized)
struct FirebaseTableTests {
    private static let cases = TableCase.all(in: "Firebase", marker: "== ")

    @Test("hold", arguments: cases)
    func hold(table: TableCase) throws { try FirebasePlay(table).run() }

    @Test("play every number of the emulator's cases, or have the reason why not, and not both")
    func numbers() throws {
        let (played, skipped) = (Set(Self.cases.map(\.number)), try TableCase.notApplicable(in: "Firebase"))
        #expect(Set((1...108).map(String.init)).subtracting(played).subtracting(skipped) == [])
        #expect(played.intersection(skipped) == [])
        #expect(TableCase.files(in: "Firebase") == Set(Self.cases.map(\.file)).sorted())
    }
}

/// One case with its daemon and its project.
private final class FirebasePlay {
    private struct Line {
        var step: TableCase.Step
        var action: String
        var words: [String]
        var given: [String: String]
        var body: String
        var outcome = "ok"
        var expected: [(name: String, text: String)] = []

        init(_ step: TableCase.Step) {
            self.step = step
            let sides = step.text.split(separator: " -> ", maxSplits: 1)
            let parts = sides[0].split(separator: " body=", maxSplits: 1)
            var words = parts[0].shellWords
            action = words.removeFirst()
            body = parts.count > 1 ? String(parts[1]) : ""
            self.words = words.filter { !$0.contains("=") }
            given = words.named
            guard sides.count > 1 else { return }
            let checks = sides[1].shellWords
            outcome = checks[0]
            expected = checks.dropFirst().map { check in
                let parts = check.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (parts[0], parts[1])
            }
        }

        func has(_ name: String) -> JSON? { given[name].map(JSON.string) }
    }

    private static let providers = ["google": "google.com", "facebook": "facebook.com", "work": "oidc.work"]
    private static let methods: [String: (name: String, parameters: [String: String])] = [
        "create": ("CreateUser", ["email": "email", "password": "password", "name": "displayName"]),
        "anonymous": ("SignInAnonymously", [:]),
        "update": ("UpdateUser", ["email": "email", "password": "password", "name": "displayName", "photo": "photoURL"]),
        "unlink": ("UnlinkProvider", ["provider": "providerID"]),
        "providers": ("FetchProviders", ["email": "email"]),
        "current": ("GetCurrentUser", [:]),
        "token": ("GetUserToken", ["audience": "audience"]),
        "sign-out": ("SignOut", [:]),
        "delete": ("DeleteUser", [:]),
        "enroll": ("EnrollSecondFactor", ["factor": "factorID", "phone": "phoneNumber", "name": "displayName"]),
    ]

    private let table: TableCase
    private let keys: OpenIDProvider
    private let project: ScriptedProject
    private var scene: AccountScene
    private var names: [String: String] = [:]
    /// Of the last errors: a resolver is still needed after a wrong code.
    private var last = JSONObject()
    private var enrollment = JSONObject()
    private var tokens = 0

    init(_ table: TableCase) throws {
        let endpoints = ["authorization-endpoint": "authorize", "token-endpoint": "token", "jwks-uri": "keys"]
        let common = endpoints.map { "\($0.key) = \"https://work.example/\($0.value)\"\n" }.joined() + "client-id = \"client\"\n"
        let providers = [
            ("google.com", "issuer = \"https://work.example\"\nclient-secret = \"s\"\n"), ("facebook.com", "limited = true\n"),
            ("oidc.work", "kind = \"oidc\"\nissuer = \"https://work.example\"\n"),
        ]
        self.table = table
        keys = try OpenIDProvider()
        scene = try AccountScene(.project, more: providers.map { "[provider.\"\($0.0)\"]\n\($0.1)\(common)" }.joined())
        project = try #require(scene.people.project)
        project.lifetime = 3600
        scene.people.documents["https://work.example/keys"] = keys.keys
    }

    func run() throws {
        for step in table.steps {
            let line = Line(step)
            if try prepare(line) { continue }
            let (error, result): (String?, JSONObject)
            if line.action == "asked" {
                let requests = project.requests.filter { $0.call == line.words[0] }
                try step.require(line.outcome == "COUNT" || !requests.isEmpty, "nobody asked")
                (error, result) = (nil, line.outcome == "COUNT" ? ["n": .integer(Int64(requests.count))] : requests.last?.body ?? [:])
            } else {
                let reply = try perform(line)
                try step.require(reply.isFinished, "there is no answer")
                try step.require("the outcome", reply.errorName ?? "ok", is: line.outcome)
                (error, result) = (reply.errorName, reply.error?.object ?? reply.replies.last ?? [:])
                if error != nil { for member in result.members { last[member.key] = member.value } }
            }
            for (name, text) in line.expected { try check(step, name, look(name, in: result, isError: error != nil), text) }
        }
    }

    // MARK: The project

    /// - Returns: whether the step was about the project or the daemon itself.
    private func prepare(_ line: Line) throws -> Bool {
        let given = line.given
        var uid: String { line.words.first.flatMap { names[$0] } ?? "" }
        switch line.action {
        case "user":
            let accounts = Self.providers.compactMap { key, providerID in
                given[key].map { (providerID: providerID, subject: $0, email: given["email"]) }
            }
            names[line.words[0]] = project.add(
                ScriptedProject.Member(
                    email: given["email"], password: given["password"], displayName: given["name"], accounts: accounts,
                    isProved: given["verified"] == "true"))
        case "disable": project.members[uid]?.isDisabled = true
        case "forget": project.members[uid] = nil
        // A second later, since tokens of the same second survive.
        case "revoke": project.members[uid]?.validSince = project.now + 1
        case "fails": project.failures.append((line.words[0], given["status"].flatMap { Int($0) } ?? 503, line.body))
        case "restart": scene = try scene.killed()
        case "server":
            for (name, text) in given {
                switch name {
                case "one_account": project.isOneAccountPerEmail = text == "true"
                case "enumeration_protection": project.protectsEnumeration = text == "true"
                case "disabled": project.disabledMethods = Set(text.split(separator: ",").map(String.init))
                case "clock": project.ahead = Int64(text) ?? 0
                case "lifetime": project.lifetime = Int64(text) ?? 0
                default: throw TestFailure("no setting \(name)")
                }
            }
        default: return false
        }
        return true
    }

    // MARK: The program

    private func perform(_ line: Line) throws -> RecordedReply {
        let hint = last["hints"]?.arrayValue?.first?.objectValue
        switch line.action {
        case "google", "facebook", "work": return try present(line)
        case "password": return signIn(["email": line.has("email") ?? .null, "password": line.has("password") ?? .null], line)
        case "handle": return signIn(["handle": last["credential"]?.objectValue?["handle"] ?? .null], line)
        case "start":
            return scene.daemon.call("StartSecondFactor", ["resolver": last["resolver"] ?? .null, "uid": hint?["uid"] ?? .null])
        case "confirm":
            let code = code(line, isSent: enrollment["secret"] == nil)
            return call("ConfirmSecondFactor", ["enrollmentID": enrollment["enrollmentID"] ?? .null, "verificationCode": code], line)
        case "resolve":
            let code = code(line, isSent: hint?["factorID"] == "phone")
            return scene.daemon.call(
                "ResolveSecondFactor", ["resolver": last["resolver"] ?? .null, "uid": hint?["uid"] ?? .null, "verificationCode": code])
        case "remove":
            let factors = call("GetCurrentUser", [:], line)["user"]?.objectValue?["secondFactors"]?.arrayValue
            return call("RemoveSecondFactor", ["uid": factors?.first?.objectValue?["uid"] ?? .null], line)
        default:
            guard let method = Self.methods[line.action] else { throw TestFailure("no action \(line.action)") }
            var parameters = JSONObject()
            for (name, parameter) in method.parameters { parameters[parameter] = line.has(name) }
            let reply = call(method.name, parameters, line)
            if line.action == "enroll" { enrollment = reply.replies.last ?? JSONObject() }
            return reply
        }
    }

    private func call(_ method: String, _ parameters: JSONObject, _ line: Line) -> RecordedReply {
        var parameters = parameters
        parameters["app"] = line.has("app")
        return scene.daemon.call(method, parameters)
    }

    private func signIn(_ credential: JSON, _ line: Line) -> RecordedReply {
        var parameters: JSONObject = ["credential": credential]
        parameters["intent"] = line.has("intent")
        return call("SignInWithCredential", parameters, line)
    }

    private func present(_ line: Line) throws -> RecordedReply {
        tokens += 1
        let raw = "nonce-\(tokens)-0123456789"
        var claims: JSONObject = ["jti": .string("\(tokens)")]
        for name in ["email", "name", "picture"] { claims[name] = line.has(name) }
        if let verified = line.given["verified"] { claims["email_verified"] = .bool(verified == "true") }
        if line.action == "facebook" { claims["iss"] = "https://www.facebook.com" }
        let token = try keys.idToken(
            subject: line.given["sub"] ?? "1020", nonce: line.action == "facebook" ? ScriptedProject.hashed(raw) : raw,
            at: scene.daemon.clock.now, lifetime: 3600, further: claims)
        let providerID = JSON.string(Self.providers[line.action] ?? "")
        return signIn(["providerID": providerID, "idToken": .string(token), "rawNonce": .string(raw)], line)
    }

    private func code(_ line: Line, isSent: Bool) -> JSON {
        guard line.given["code"] == "right" else { return line.has("code") ?? .null }
        return .string(isSent ? project.sentCode : project.authenticatorCode)
    }

    // MARK: Results

    private func look(_ name: String, in result: JSONObject, isError: Bool) -> String? {
        let answer = result["result"]?.objectValue ?? result
        let user = answer["user"]?.objectValue
        let found: JSON?
        switch name {
        case "user": return user.map { _ in "somebody" }
        case "handle": return result["credential"]?.objectValue?["handle"].map { _ in "there" }
        case "linked": return user?["providerData"]?.tableList("providerID")
        case "factors": return user?["secondFactors"]?.tableList("factorID")
        case "hints": return result["hints"]?.tableList("factorID")
        case "phone": found = result["hints"]?.arrayValue?.first?.objectValue?["phoneNumber"]
        case "listed", "owners": found = result["providerIDs"]
        case "uid": found = user?["uid"]
        case "new": found = answer["additionalUserInfo"]?.objectValue?["isNewUser"]
        case "name": found = user?["displayName"]
        case "photo": found = user?["photoURL"]
        case "verified": found = user?["emailVerified"]
        case "anonymous": found = user?["isAnonymous"]
        case "credential": found = answer["credential"]?.objectValue?["providerID"]
        case "email": found = isError ? result["email"] : user?["email"]
        default: found = answer[name] ?? result[name]
        }
        return found?.tableText
    }

    private func check(_ step: TableCase.Step, _ name: String, _ found: String?, _ expected: String) throws {
        let rest = String(expected.dropFirst())
        switch expected.first {
        case "@":
            if names[rest] == nil { names[rest] = found }
            try step.require(found?.isEmpty == false, "\(name) is absent")
            try step.require(name, found, is: names[rest])
        case "!": try step.require(found?.isEmpty == false && found != names[rest], "\(name) is \(found ?? "absent"), as \(rest)")
        case "~": try step.require(found?.contains(rest) == true, "\(name) is \(found ?? "absent"), without \(rest)")
        default: try step.require(name, found, is: expected == "none" ? nil : expected)
        }
    }
}
