import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A file in `Accounts/` holds cases. Each begins with `## NUMBER what it shows`, with the number of the reference; then come the steps, one
/// a line. `given` and `when` perform an action, `then` checks its result. An app's name and a colon may precede the action; without them it
/// is for the app `a`.
///
///     given  b: signIn trusted/S email=ada@example.com verified as B
///     when   a: link plain/T email=ada@example.com
///     then   error EmailAlreadyInUse email=ada@example.com
///     then   b: user uid=B providers=trusted
///
/// The providers are `trusted` and `trusted2`, which are authoritative for every address that they have verified, and `plain` and `other`,
/// which are authoritative for none. `plain/S` is the account S there. An account's profile is written as name=value. With page=NAME the
/// page stays open until `come NAME`.
@Suite("The tables of account rules", .serialized)
struct AccountTableTests {
    private static let cases = TableCase.all(in: "Accounts", marker: "## ")

    @Test("hold", arguments: cases)
    func hold(table: TableCase) throws { try AccountPlay(table).run() }

    @Test("play every number of the reference, or have the reason why not; and no file is without cases")
    func numbers() throws {
        let played = Set(Self.cases.flatMap { $0.number.split(separator: "+").map(String.init) })
        let wanted = (1...108).map(String.init) + "ABCDEFGHIJKLMNOP".map(String.init)
        let skipped = try TableCase.notApplicable(in: "Accounts")
        #expect(Set(wanted).subtracting(played).subtracting(skipped) == [])
        #expect(TableCase.files(in: "Accounts") == Set(Self.cases.map(\.file)).sorted())
    }
}

/// One case with its daemon.
private final class AccountPlay {
    private struct Line {
        var step: TableCase.Step
        var kind: String
        var app = "a"
        var verb: String
        var plain: [String]
        var named: [String: String]

        init(_ step: TableCase.Step) {
            var words = step.text.shellWords
            self.step = step
            kind = words.removeFirst()
            if words[0].hasSuffix(":") { app = String(words.removeFirst().dropLast()) }
            verb = words.removeFirst()
            named = words.named
            if let index = words.firstIndex(of: "as") {
                named["as"] = words[index + 1]
                words.removeSubrange(index...(index + 1))
            }
            plain = words.filter { !$0.contains("=") }
        }
    }

    private static let methods = [
        "createUser": "CreateUser", "anonymous": "SignInAnonymously", "update": "UpdateUser", "unlink": "UnlinkProvider", "signOut": "SignOut",
        "deleteUser": "DeleteUser",
    ]

    private let table: TableCase
    private var scene: AccountScene
    private var result = JSONObject()
    /// Until the table expects it.
    private var error: RecordedReply?
    private var uids: [(name: String, uid: String)] = []
    private var handles: [String: JSON] = [:]
    private var resolvers: [String: JSONObject] = [:]
    private var factors: [String: Authenticator] = [:]
    private var pages: [String: (reply: RecordedReply, person: String)] = [:]

    init(_ table: TableCase) throws {
        self.table = table
        let providers = ["trusted", "trusted2", "plain", "other"].map {
            "[provider.\($0)]\n\(AccountScene.provider($0, isTrusted: $0.hasPrefix("trusted")))"
        }
        let isShared = table.steps.contains { $0.text == "setting shared-addresses" }
        scene = try AccountScene(.own, more: providers.joined() + "[accounts]\none-account-per-email = \(!isShared)\n")
    }

    func run() throws {
        for step in table.steps {
            let line = Line(step)
            switch line.kind {
            case "then": try check(line)
            case "given", "when":
                try requireNoError(step)
                try act(line)
                if line.kind == "given" { try requireNoError(step) }
            default: try step.require(step.text == "setting shared-addresses", "no such step")
            }
        }
        if let step = table.steps.last { try requireNoError(step) }
    }

    private func requireNoError(_ step: TableCase.Step) throws {
        try step.require(error == nil, "nobody expected \(error?.errorName ?? ""): \(error?.message ?? "")")
    }

    // MARK: Actions

    private func act(_ line: Line) throws {
        let reply = try perform(line)
        try line.step.require(reply?.isFinished ?? true || line.named["page"] != nil, "there is no answer")
        let last = reply?.event ?? reply?.replies.last ?? JSONObject()
        result = last["result"]?.objectValue ?? last
        error = reply?.error == nil ? nil : reply
        if let name = line.named["as"], let uid = result["user"]?.objectValue?["uid"]?.stringValue { uids.append((name, uid)) }
        if error == nil, let name = line.named["handle"] { handles[name] = result["credential"]?.objectValue?["handle"] }
    }

    private func perform(_ line: Line) throws -> RecordedReply? {
        let (app, plain, named) = (line.app, line.plain, line.named)
        switch line.verb {
        case "signIn", "link", "reauthenticate", "credential":
            let account = plain[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            let page = (reply: scene.ask(account[0], app: app, intent: line.verb), person: person(account[1], plain, named))
            if let name = named["page"] { pages[name] = page } else { comeBack(page) }
            return page.reply
        case "come":
            guard let page = pages[plain[0]] else { throw TestFailure("no page \(plain[0])") }
            comeBack(page)
            return page.reply
        case "use":
            return scene.use(["handle": handles[plain[0]] ?? .null], app: app, intent: plain.count > 1 ? plain[1] : "signIn")
        case "password":
            return scene.signIn(password: named["password"] ?? "", of: named["email"] ?? "", app: app, intent: plain.first ?? "signIn")
        case "restart":
            scene = try scene.killed()
            return nil
        case "totp":
            let enrollment = scene.call("EnrollSecondFactor", ["factorID": "totp", "displayName": .string(plain[0])], app: app)
            guard let secret = enrollment["secret"]?.stringValue else { return enrollment }
            factors[plain[0]] = Authenticator(secret)
            let parameters: JSONObject = ["enrollmentID": enrollment["enrollmentID"] ?? .null, "verificationCode": .string(code(plain[0]))]
            return scene.call("ConfirmSecondFactor", parameters, app: app)
        case "resolve":
            let resolver = resolvers[plain[0]] ?? JSONObject()
            return scene.daemon.call(
                "ResolveSecondFactor",
                [
                    "resolver": resolver["resolver"] ?? .null, "uid": factor(plain[1], in: resolver["hints"]),
                    "verificationCode": .string(named["code"] ?? code(plain[1])),
                ])
        case "withdraw":
            return scene.call("RemoveSecondFactor", ["uid": factor(plain[0], in: scene.user(app: app)?["secondFactors"])], app: app)
        default:
            let names = ["name": "displayName", "photo": "photoURL"]
            var parameters = JSONObject()
            for (name, text) in named where name != "as" { parameters[names[name] ?? name] = .string(text) }
            parameters.set("providerID", plain.first)
            guard let method = Self.methods[line.verb] else { throw TestFailure("no action \(line.verb)") }
            return scene.call(method, parameters, app: app)
        }
    }

    /// The code with which the browser brings back this account.
    private func person(_ subject: String, _ plain: [String], _ named: [String: String]) -> String {
        var profile: JSONObject = ["id": .string(subject)]
        for name in ["email", "name", "picture"] { profile.set(name, named[name]) }
        if named["email"] != nil { profile["email_verified"] = .bool(plain.contains("verified")) }
        let person = "p\(scene.people.profiles.count)"
        scene.people.profiles[person] = profile
        return person
    }

    /// The person completes the page, whoever it was opened for.
    private func comeBack(_ page: (reply: RecordedReply, person: String)) {
        let state = page.reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("state")
        if let state { scene.daemon.browserReturns("state=\(state)&code=\(page.person)") }
    }

    /// A code works once.
    private func code(_ name: String) -> String {
        scene.daemon.pass(seconds: 30)
        return factors[name]?.code(at: scene.daemon.clock.now) ?? ""
    }

    private func factor(_ name: String, in factors: JSON?) -> JSON {
        factors?.arrayValue?.first { $0.objectValue?["displayName"] == .string(name) }?.objectValue?["uid"] ?? .null
    }

    // MARK: Checks

    private func check(_ line: Line) throws {
        let (step, plain, named) = (line.step, line.plain, line.named)
        if line.verb == "error" { return try checkError(line) }
        try requireNoError(step)
        switch line.verb {
        case "ok":
            for word in plain {
                let isNew = result["additionalUserInfo"]?.objectValue?["isNewUser"]
                try step.require("new", isNew?.tableText, is: "\(word == "new")")
            }
            try checkMembers(of: result["user"]?.objectValue, line)
        case "user":
            let user = scene.user(app: line.app)
            try step.require(user != nil, "\(line.app) is signed in as nobody")
            try checkMembers(of: user, line)
        case "nobody": try step.require("the user", scene.user(app: line.app).map { JSON.object($0).text }, is: nil)
        case "fetch":
            let found = scene.daemon.call("FetchProviders", ["email": .string(plain[0])])["providerIDs"]?.arrayValue?.compactMap(\.stringValue)
            try step.require("the list", found?.sorted().joined(separator: ","), is: plain.dropFirst().sorted().joined(separator: ","))
        case "users": try step.require("their number", scene.daemon.call("GetStatus")["users"]?.tableText, is: plain[0])
        case "credentials":
            let found = scene.daemon.call("ListCredentials")["credentials"]?.arrayValue?.map(account)
            try step.require("the list", found?.sorted().joined(separator: " "), is: plain.sorted().joined(separator: " "))
        default: throw TestFailure("no check \(line.verb) \(named)")
        }
    }

    private func checkError(_ line: Line) throws {
        try line.step.require("the error", error?.errorName, is: line.plain[0])
        let told = error?.error?.object ?? JSONObject()
        error = nil
        for (name, text) in line.named {
            switch name {
            case "handle":
                handles[text] = told["credential"]?.objectValue?["handle"]
                try line.step.require(handles[text] != nil, "there is no handle")
            case "resolver": resolvers[text] = told
            case "hints": try line.step.require(name, told["hints"]?.tableList("displayName"), is: text)
            default: try line.step.require(name, told[name]?.tableText ?? "", is: text)
            }
        }
    }

    private func checkMembers(of user: JSONObject?, _ line: Line) throws {
        for (name, text) in line.named {
            let found: String? =
                switch name {
                case "operation": result["operation"]?.tableText
                case "uid": uids.first { $0.uid == user?["uid"]?.stringValue }?.name ?? "new"
                case "verified": user?["emailVerified"] == true ? "yes" : "no"
                case "anonymous": user?["isAnonymous"] == true ? "yes" : "no"
                case "name": user?["displayName"]?.tableText ?? ""
                case "photo": user?["photoURL"]?.tableText ?? ""
                case "email": user?["email"]?.tableText ?? ""
                case "providers": user?["providerData"]?.tableList("providerID")
                case "accounts": user?["providerData"]?.arrayValue?.map(account).joined(separator: ",")
                case "factors": user?["secondFactors"]?.tableList("displayName")
                default: nil
                }
            try line.step.require(name, found, is: text)
        }
    }

    /// Such as `plain/S`.
    private func account(_ data: JSON) -> String {
        "\(data.objectValue?["providerID"]?.tableText ?? "")/\(data.objectValue?["uid"]?.tableText ?? "")"
    }
}
