import Glibc
import PosternApplication
import PosternCore
import PosternCrypto
import StrictJSON
import Testing

/// Who has the accounts.
enum Authority: CaseIterable, Sendable {
    case own, project
}

/// The daemon among three providers, of which `work` alone is the authority for addresses, with either authority for the accounts.
final class AccountScene {
    let authority: Authority
    let daemon: TestApplication
    let people: ScriptedPeople
    private let more: String
    /// The earlier run, whose directory this one uses.
    private let previous: AccountScene?

    convenience init(_ authority: Authority, more: String = "") throws {
        let daemon = try TestApplication(Self.configuration(authority) + more)
        try self.init(authority, daemon, ScriptedPeople(project: authority == .project ? ScriptedProject() : nil), more, nil)
    }

    private init(
        _ authority: Authority, _ daemon: TestApplication, _ people: ScriptedPeople, _ more: String, _ previous: AccountScene?
    ) throws {
        (self.authority, self.daemon, self.people, self.more, self.previous) = (authority, daemon, people, more, previous)
        people.answer(daemon)
    }

    private static func configuration(_ authority: Authority) -> String {
        let providers = ["work", "home", "club"].map { "[provider.\($0)]\n\(provider($0, isTrusted: $0 == "work"))" }
        return providers.joined() + (authority == .project ? "[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n" : "")
    }

    static func provider(_ name: String, isTrusted: Bool) -> String {
        """
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://\(name).example/authorize"
        token-endpoint = "https://\(name).example/token"
        userinfo-endpoint = "https://\(name).example/userinfo"
        revocation-endpoint = "https://\(name).example/revoke"
        device-authorization-endpoint = "https://\(name).example/device"
        introspection-endpoint = "https://\(name).example/introspect"
        profile = { uid = "id", display-name = "name", email = "email", username = "username", photo = "picture" }
        trust-email = \(isTrusted)

        """
    }

    /// The configuration.
    var toml: String { Self.configuration(authority) + more }

    // MARK: Another run

    /// The daemon begins anew on the same disk; this scene is over.
    func restarted(after seconds: Int64 = 0) throws -> AccountScene {
        daemon.run { await $0.close() }
        return try AccountScene(authority, next(in: daemon.directory, after: seconds), people, more, self)
    }

    /// The daemon is killed, and begins anew on the same disk; this scene is over.
    func killed() throws -> AccountScene {
        daemon.dropStore()
        return try AccountScene(authority, next(in: daemon.directory, after: 0), people, more, self)
    }

    private func next(in directory: String, after seconds: Int64) throws -> TestApplication {
        let passed = daemon.clock.now.seconds - FakeClock().now.seconds
        return try TestApplication(toml, directory: directory, after: passed + seconds, randomness: daemon.randomness)
    }

    /// What is on disk before something, and after each step of it that changed that: what a power cut could leave.
    func images(during work: () throws -> Void) throws -> [Image] {
        let images = Recorded<[Image]>()
        images.value = [Image(of: daemon.directory)]
        daemon.executor.watch { [directory = daemon.directory] in
            let image = Image(of: directory)
            if image != images.value?.last { images.value?.append(image) }
        }
        defer { daemon.executor.watch(nil) }
        try work()
        return images.value ?? []
    }

    /// A run of the daemon on what was on disk then; this scene may go on.
    func run(on image: Image) throws -> AccountScene {
        try AccountScene(authority, next(in: try image.written(beside: daemon.directory), after: 0), people, more, nil)
    }

    struct Image: Equatable {
        private var files: [String: [UInt8]] = [:]

        fileprivate init(of directory: String) {
            for name in ["postern.db", "postern.db-wal", "key"] { files[name] = Self.bytes(of: "\(directory)/state/\(name)") }
        }

        private static func bytes(of file: String) -> [UInt8]? {
            guard let stream = fopen(file, "r") else { return nil }
            defer { fclose(stream) }
            var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
            while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
            return bytes
        }

        fileprivate func written(beside directory: String) throws -> String {
            var template = Array("\(directory).XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw TestFailure("no directory could be made") }
            let directory = String(cString: made)
            mkdir("\(directory)/state", 0o700)
            for (name, bytes) in files {
                let file = "\(directory)/state/\(name)"
                guard let stream = fopen(file, "w") else { throw TestFailure("\(file) could not be written") }
                fwrite(bytes, 1, bytes.count, stream)
                fclose(stream)
                chmod(file, 0o600)
            }
            return directory
        }
    }

    // MARK: Signing in

    /// A sign-in with a page up to its end.
    @discardableResult
    func signIn(
        _ person: String, at providerID: String = "work", app: String = "default", intent: String = "signIn",
        _ further: JSONObject = [:]
    ) -> RecordedReply {
        let reply = ask(providerID, app: app, intent: intent, further)
        if let state = reply.pageState { daemon.browserReturns("state=\(state)&code=\(person)") }
        return reply
    }

    /// The person keeps this account, for no app.
    @discardableResult
    func keep(_ person: String, at providerID: String = "work", _ further: JSONObject = [:]) -> RecordedReply {
        let reply = askToKeep(providerID, further)
        if let state = reply.pageState { daemon.browserReturns("state=\(state)&code=\(person)") }
        return reply
    }

    func askToKeep(_ providerID: String = "work", _ further: JSONObject = [:]) -> RecordedReply {
        var all: JSONObject = ["providerID": .string(providerID), "intent": "keep", "presentation": "client"]
        for member in further.members { all[member.key] = member.value }
        return daemon.call("SignIn", all, more: true)
    }

    /// A page, or a code, that waits.
    func ask(_ providerID: String, app: String = "default", intent: String = "signIn", _ further: JSONObject = [:]) -> RecordedReply {
        var all: JSONObject = [
            "providerID": .string(providerID), "app": .string(app), "intent": .string(intent), "presentation": "client",
        ]
        for member in further.members { all[member.key] = member.value }
        return daemon.call("SignIn", all, more: true)
    }

    /// The person answers what the page of a sign-in asks about a linked account.
    @discardableResult
    func answer(_ answer: LinkReview.Answer, about providerID: String = "club", on signIn: RecordedReply) -> LinkReview.Status? {
        daemon.answer(answer, about: providerID, on: signIn.event?["sessionID"]?.stringValue ?? "")
    }

    func asks(on signIn: RecordedReply) -> LinkReview? { daemon.asks(on: signIn.event?["sessionID"]?.stringValue ?? "") }

    func signIn(password: String, of email: String = "ada@example.com", app: String = "default", intent: String = "signIn") -> RecordedReply {
        use(["email": .string(email), "password": .string(password)], app: app, intent: intent)
    }

    @discardableResult
    func use(_ credential: JSON, app: String = "default", intent: String = "signIn") -> RecordedReply {
        daemon.call("SignInWithCredential", ["credential": credential, "app": .string(app), "intent": .string(intent)])
    }

    /// A credential of this account, by its handle.
    func handle(_ person: String, at providerID: String, app: String = "default") throws -> JSON {
        try credential(person, at: providerID, app: app)["handle"] ?? .null
    }

    func credential(_ person: String, at providerID: String, app: String = "default") throws -> JSONObject {
        let reply = signIn(person, at: providerID, app: app, intent: "credential")
        return try #require(reply.event?["credential"]?.objectValue, "\(reply.message)")
    }

    /// Somebody types the code at the provider, and the daemon asks whether somebody did.
    func type(_ person: String, at providerID: String) {
        people.typed["\(providerID).example"] = person
        daemon.pass(seconds: 6)
    }

    /// What is held is answered.
    func release() {
        people.held = nil
        daemon.executor.isolated { [people, provider = daemon.provider] in
            if let answer = provider.waiting.first.flatMap({ people.answer(to: $0.request) }) { provider.answer(answer) }
        }
        daemon.settle()
    }

    @discardableResult
    func call(_ method: String, _ parameters: JSONObject = [:], app: String = "default") -> RecordedReply {
        var all = parameters
        all["app"] = .string(app)
        return daemon.call(method, all)
    }

    // MARK: What there is

    func user(app: String = "default") -> JSONObject? { call("GetCurrentUser", app: app)["user"]?.objectValue }

    func uid(app: String = "default") -> JSON? { user(app: app)?["uid"] }

    /// The accounts of the app's user, such as `home/ada`; empty if nobody is signed in.
    func accounts(app: String = "default") -> [String] {
        (user(app: app)?["providerData"]?.arrayValue ?? []).compactMap { account in
            guard let account = account.objectValue, account["providerID"] != "password" else { return nil }
            return "\(account["providerID"]?.stringValue ?? "")/\(account["uid"]?.stringValue ?? "")"
        }
    }

    /// Whether what only a recent sign-in may do is done; it changes the password.
    func isRecent(app: String = "default") -> Bool {
        call("UpdateUser", ["password": "another correct horse"], app: app).error == nil
    }

    /// How often anybody was asked for anything.
    var requests: Int { daemon.executor.isolated { [provider = daemon.provider] in provider.sent.count } }

    /// How often the project was.
    var projectRequests: Int { people.project?.asked.count ?? 0 }
}

extension RecordedReply {
    /// The member of an error: a handle, or a resolver.
    nonisolated func offered(_ name: String) -> JSON? {
        error?.object[name] ?? error?.object["credential"]?.objectValue?[name]
    }

    /// Nil if there is none; else the error's name.
    nonisolated var ending: String { errorName ?? (isFinished ? "done" : "waits") }
}

/// Codes of an authenticator program, from the secret in Base32.
struct Authenticator {
    let secret: Secret

    init(_ text: String) {
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for letter in text.utf8 {
            let value = letter >= UInt8(ascii: "A") ? letter - UInt8(ascii: "A") : letter - UInt8(ascii: "2") + 26
            (bits, count) = (bits << 5 | Int(value), count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        secret = Secret(bytes)
    }

    func code(at moment: Timestamp) -> String {
        let step = OneTimePassword.standard.step(at: moment)
        return OneTimePassword.standard.code(counter: UInt64(step), secret: secret, cryptography: OpenSSLCryptography())
    }
}

extension AccountScene {
    /// The app's user gets an authenticator.
    func enroll(app: String = "default") throws -> Authenticator {
        let enrollment = call("EnrollSecondFactor", ["factorID": "totp"], app: app)
        let authenticator = Authenticator(try #require(enrollment["secret"]?.stringValue, "\(enrollment.message)"))
        let code = authenticator.code(at: daemon.clock.now)
        let confirmed = call(
            "ConfirmSecondFactor", ["enrollmentID": enrollment["enrollmentID"] ?? .null, "verificationCode": .string(code)], app: app)
        #expect(confirmed.error == nil, "\(confirmed.message)")
        daemon.pass(seconds: 60)
        return authenticator
    }
}
