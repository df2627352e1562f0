import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Ada, whose account at `work` is the authority for her address.
@Suite("Second factors of a user of this machine", .serialized)
struct LocalSecondFactorTests {
    private struct Required {
        let resolver: JSON
        let hints: [JSON]

        init(_ reply: RecordedReply) throws {
            resolver = try #require(reply.offered("resolver"), "\(reply.ending): \(reply.message)")
            hints = reply.error?.object["hints"]?.arrayValue ?? []
        }

        var factor: JSON { hints.first?.objectValue?["uid"] ?? .null }
    }

    private static let number: JSON = "+819012341234"
    private static let command = "[second-factor.phone]\ncommand = [\"send-sms\"]\n"
    private static let gateway = "[second-factor.phone]\ngateway = \"https://sms.example/send\"\ngateway-token = \"hunter2\"\n"

    private func scene(_ more: String = "") throws -> AccountScene {
        let scene = try AccountScene(.own, more: more)
        #expect(scene.signIn("ada").isCompleted)
        return scene
    }

    @discardableResult
    private func resolve(_ scene: AccountScene, _ resolver: JSON, _ factor: JSON, _ code: String, settling: Bool = true) -> RecordedReply {
        scene.daemon.call("ResolveSecondFactor", ["resolver": resolver, "uid": factor, "verificationCode": .string(code)], settling: settling)
    }

    private func code(_ authenticator: Authenticator, in scene: AccountScene) -> String { authenticator.code(at: scene.daemon.clock.now) }

    private func factors(_ scene: AccountScene, app: String = "default") -> [JSON] { scene.user(app: app)?["secondFactors"]?.arrayValue ?? [] }

    // MARK: Authenticator apps

    @Test("A confirmed code enrolls, another one signs in once, and nothing of the first factor happens before")
    func authenticator() throws {
        let scene = try scene()
        let uid = scene.uid()
        let enrollment = scene.call("EnrollSecondFactor", ["factorID": "totp", "displayName": "Phone"])
        let secret = try #require(enrollment["secret"]?.stringValue)
        #expect(enrollment["provisioningURI"]?.stringValue?.hasPrefix("otpauth://totp/Postern:ada%40example.com?secret=\(secret)&") == true)
        #expect(factors(scene) == [])
        let authenticator = Authenticator(secret)
        let used = code(authenticator, in: scene)
        let confirmation: JSONObject = ["enrollmentID": enrollment["enrollmentID"] ?? .null, "verificationCode": .string(used)]
        // An enrolment is no first factor.
        #expect(resolve(scene, enrollment["enrollmentID"] ?? .null, "x", used).errorName == "InvalidCredential")
        #expect(scene.call("ConfirmSecondFactor", confirmation)["user"]?.objectValue == scene.user())
        #expect(scene.call("ConfirmSecondFactor", confirmation).errorName == "InvalidCredential")
        let factor = factors(scene).first?.objectValue
        #expect(factor?["factorID"] == "totp" && factor?["displayName"] == "Phone" && factor?["phoneNumber"] == nil)
        #expect(scene.daemon.call("RevokeCredential", ["providerID": "work"]).error == nil)
        scene.call("SignOut")

        let required = try Required(scene.signIn("ada"))
        #expect(required.hints == [.object(factor ?? [:])] && scene.user() == nil && scene.daemon.counts == [1, 0])
        #expect(resolve(scene, required.resolver, required.factor, used).errorName == "InvalidVerificationCode")
        scene.daemon.pass(seconds: 30)
        let next = code(authenticator, in: scene)
        // As apps show it.
        let reply = resolve(scene, required.resolver, required.factor, "\(next.prefix(3)) \(next.suffix(3))")
        let result = try #require(reply["result"]?.objectValue, "\(reply.message)")
        #expect(result["operation"] == "signIn" && scene.uid() == uid && result["credential"]?.objectValue?["accessToken"] != nil)
        let info = result["additionalUserInfo"]?.objectValue
        #expect(info?["providerID"] == "work" && info?["isNewUser"] == false && info?["profile"]?.objectValue?["id"] == "ada")
        scene.daemon.pass(seconds: 60)
        #expect(resolve(scene, required.resolver, required.factor, code(authenticator, in: scene)).errorName == "InvalidCredential")
    }

    @Test("Every way to give a first factor asks for the second one", arguments: ["signIn", "reauthenticate"])
    func ways(intent: String) throws {
        let scene = try scene()
        #expect(scene.signIn(password: "correct horse", intent: "link").error == nil)
        let (uid, authenticator) = (scene.uid(), try scene.enroll())
        let handle = try scene.handle("ada", at: "work")
        for ask in [
            { scene.signIn("ada", intent: intent) }, { scene.use(["handle": handle], intent: intent) },
            { scene.signIn(password: "correct horse", intent: intent) },
        ] {
            let required = try Required(ask())
            let result = resolve(scene, required.resolver, required.factor, code(authenticator, in: scene))["result"]?.objectValue
            #expect(result?["operation"] == .string(intent) && result?["user"]?.objectValue?["uid"] == uid)
            scene.daemon.pass(seconds: 60)
        }
    }

    @Test("A reauthentication counts from its code, which may come after the page, however long the daemon has run")
    func laterCode() throws {
        let scene = try scene()
        let authenticator = try scene.enroll()
        scene.daemon.pass(seconds: 400)
        let required = try Required(scene.signIn("ada", intent: "reauthenticate"))
        scene.daemon.pass(seconds: 7)
        let reply = resolve(scene, required.resolver, required.factor, code(authenticator, in: scene))
        #expect(reply.error == nil && scene.isRecent(), "\(reply.message)")
    }

    @Test("Wrong codes are counted for the sign-in and for the user, over a restart too")
    func wrongCodes() throws {
        var scene = try scene()
        let authenticator = try scene.enroll()
        for retry: ClosedRange<Int64> in [0...0, 1700...1800] {
            let required = try Required(scene.signIn("ada", app: "two"))
            for triesLeft in ["4 tries are", "3 tries are", "2 tries are", "one try is"] {
                let reply = resolve(scene, required.resolver, required.factor, "x")
                #expect(reply.errorName == "InvalidVerificationCode" && reply.message.contains(triesLeft), "\(reply.message)")
            }
            scene = try scene.restarted()
            let last = resolve(scene, required.resolver, required.factor, "x")
            #expect(last.errorName == "TooManyAttempts" && retry.contains(last.error?.object["retryAfterSeconds"]?.integerValue ?? -1))
            #expect(resolve(scene, required.resolver, required.factor, code(authenticator, in: scene)).errorName == "InvalidCredential")
        }
        let required = try Required(scene.restarted().signIn("ada", app: "two"))
        #expect(required.hints.count == 1)
    }

    @Test("After ten wrong codes in all, a right one is refused for a while, over a restart too")
    func tooMany() throws {
        var scene = try scene()
        let authenticator = try scene.enroll()
        for _ in 0..<2 {
            let required = try Required(scene.signIn("ada", app: "two"))
            for _ in 0..<5 { resolve(scene, required.resolver, required.factor, "x") }
        }
        scene = try scene.restarted()
        let required = try Required(scene.signIn("ada", app: "two"))
        let refused = resolve(scene, required.resolver, required.factor, code(authenticator, in: scene))
        #expect(refused.errorName == "TooManyAttempts" && 1500...1800 ~= refused.error?.object["retryAfterSeconds"]?.integerValue ?? 0)
    }

    @Test("A first factor survives a restart before the second one; used resolvers and codes do not come back")
    func restarted() throws {
        var scene = try scene()
        let authenticator = try scene.enroll()
        let required = try Required(scene.signIn("ada", app: "two"))
        scene = try scene.restarted()
        let used = code(authenticator, in: scene)
        #expect(resolve(scene, required.resolver, required.factor, used)["result"]?.objectValue?["credential"]?.objectValue?["accessToken"] != nil)
        scene = try scene.restarted()
        let again = try Required(scene.signIn("ada", app: "two"))
        #expect(resolve(scene, required.resolver, required.factor, used).errorName == "InvalidCredential")
        #expect(resolve(scene, again.resolver, again.factor, used).errorName == "InvalidVerificationCode")
    }

    @Test("Of two that resolve at the same time one is signed in")
    func race() throws {
        let endings = try everyInterleaving {
            let scene = try scene()
            let authenticator = try scene.enroll()
            return (scene, authenticator, try Required(scene.signIn("ada", app: "two")))
        } first: { scene, authenticator, required in
            resolve(scene, required.resolver, required.factor, code(authenticator, in: scene), settling: false)
        } second: { scene, authenticator, required in
            resolve(scene, required.resolver, required.factor, code(authenticator, in: scene), settling: false)
        } check: { _, first, second, moment in
            let names = [first, second].map(\.ending).sorted()
            #expect(names == ["InvalidCredential", "done"], moment)
            return ""
        }
        #expect(endings.count == 1)
    }

    @Test("All that wait for one sign-in get resolvers of their own, and a code is good for one of them")
    func severalWait() throws {
        let scene = try scene()
        let authenticator = try scene.enroll()
        let waiting = (0..<4).map { _ in scene.ask("work", app: "two") }
        scene.daemon.browserReturns("state=\(waiting[0].pageState ?? "")&code=ada")
        let required = try waiting.map(Required.init)
        #expect(Set(required.map(\.resolver)).count == 4)
        let used = code(authenticator, in: scene)
        #expect(resolve(scene, required[2].resolver, required[2].factor, used).error == nil)
        let refused = resolve(scene, required[0].resolver, required[0].factor, used)
        #expect(refused.errorName == "InvalidVerificationCode" && refused.message.contains("4 tries"))
    }

    @Test("What is unknown, or not meant for this, is refused")
    func refused() throws {
        let scene = try scene()
        let authenticator = try scene.enroll()
        let required = try Required(scene.signIn("ada", app: "two"))
        #expect(resolve(scene, required.resolver, "nobody", code(authenticator, in: scene)).errorName == "InvalidCredential")
        #expect(resolve(scene, "unknown", required.factor, code(authenticator, in: scene)).errorName == "InvalidCredential")
        #expect(scene.call("EnrollSecondFactor", ["factorID": "totp"]).errorName == "SecondFactorAlreadyEnrolled")
        #expect(scene.call("RemoveSecondFactor", ["uid": "nobody"]).errorName == "InvalidCredential")
        for parameters: JSONObject in [
            ["factorID": "totp", "phoneNumber": Self.number], ["factorID": "phone"], ["factorID": "totp", "displayName": "a\nb"],
            ["factorID": "totp", "displayName": ""], ["factorID": "totp", "displayName": .string(String(repeating: "x", count: 129))],
        ] { #expect(scene.call("EnrollSecondFactor", parameters).errorName == "InvalidParameter") }
    }

    @Test("Only a user whose address is proved enrolls anything; who has given the factor links without it")
    func enrolling() throws {
        let scene = try scene()
        #expect(scene.call("SignInAnonymously", app: "guest").error == nil)
        #expect(scene.call("EnrollSecondFactor", ["factorID": "totp"], app: "guest").errorName == "InvalidCredential")
        #expect(scene.signIn("grace", at: "club", app: "grace").isCompleted)
        let refused = scene.call("EnrollSecondFactor", ["factorID": "totp"], app: "grace")
        #expect(refused.errorName == "InvalidEmail" && refused.message.contains("that a provider trusted for it (trust-email) has verified"))
        _ = try scene.enroll()
        #expect(scene.signIn("eve", at: "home", intent: "link").isCompleted)
    }

    @Test("An enrolment is of its app and its user, and its tries are limited")
    func enrolment() throws {
        let scene = try scene()
        #expect(scene.signIn("ada", app: "other").isCompleted)
        let enrollment = scene.call("EnrollSecondFactor", ["factorID": "totp"])
        func confirm(_ code: String, app: String = "default") -> String? {
            scene.call(
                "ConfirmSecondFactor", ["enrollmentID": enrollment["enrollmentID"] ?? .null, "verificationCode": .string(code)], app: app
            ).errorName
        }
        let right = code(Authenticator(enrollment["secret"]?.stringValue ?? ""), in: scene)
        #expect(confirm(right, app: "other") == "InvalidCredential")
        #expect(scene.signIn("grace").isCompleted && confirm(right) == "InvalidCredential")
        #expect(scene.signIn("ada").isCompleted)
        #expect((0..<6).map { _ in confirm("x") } == Array(repeating: "InvalidVerificationCode", count: 4) + ["TooManyAttempts", "InvalidCredential"])
        #expect(factors(scene) == [] && confirm(right) == "InvalidCredential")
        _ = try scene.enroll()
    }

    @Test("An app that signed in before the factor was enrolled changes none; a removed factor is not asked for")
    func before() throws {
        let scene = try scene(Self.command)
        #expect(scene.signIn("ada", app: "two").isCompleted)
        let begun = enrollPhone(scene, app: "two")
        _ = try scene.enroll()
        let factor = factors(scene).first?.objectValue?["uid"] ?? .null
        for (method, parameters) in [
            ("RemoveSecondFactor", ["uid": factor]), ("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": "+819012345678"]),
            ("ConfirmSecondFactor", ["enrollmentID": begun["enrollmentID"] ?? .null, "verificationCode": lastCode(scene)]),
        ] as [(String, JSONObject)] { #expect(scene.call(method, parameters, app: "two").errorName == "RequiresRecentSignIn") }
        let required = try Required(scene.signIn("ada", app: "two"))
        #expect(scene.call("RemoveSecondFactor", ["uid": factor])["user"]?.objectValue?["secondFactors"] == [])
        #expect(scene.signIn("ada", app: "two").isCompleted)
        #expect(resolve(scene, required.resolver, required.factor, "000000").errorName == "InvalidCredential")
    }

    // MARK: Phones

    /// The code goes out as far as the program, which succeeds.
    private func enrollPhone(_ scene: AccountScene, number: JSON = number, app: String = "default") -> RecordedReply {
        sending(scene) { scene.call("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": number, "displayName": "Pocket"], app: app) }
    }

    private func sending(_ scene: AccountScene, problem: String? = nil, _ call: () -> RecordedReply) -> RecordedReply {
        let reply = call()
        scene.daemon.executor.isolated { [commands = scene.daemon.commands] in commands.end(problem) }
        scene.daemon.settle()
        return reply
    }

    private func messages(_ scene: AccountScene) -> [JSONObject] {
        scene.daemon.commands.inputs.compactMap { $0.flatMap { try? JSON(parsing: $0.dropLast()) }?.objectValue }
    }

    private func lastCode(_ scene: AccountScene) -> JSON { messages(scene).last?["code"] ?? .null }

    private func confirmPhone(_ scene: AccountScene, code: JSON? = nil) -> JSONObject? {
        let begun = enrollPhone(scene)
        #expect(begun.error == nil && begun["secret"] == nil && begun["provisioningURI"] == nil, "\(begun.message)")
        let confirmed = scene.call(
            "ConfirmSecondFactor", ["enrollmentID": begun["enrollmentID"] ?? .null, "verificationCode": code ?? lastCode(scene)])
        #expect(confirmed.error == nil, "\(confirmed.message)")
        return factors(scene).last?.objectValue
    }

    @Test("The last code that was sent to a phone signs in, and either of two factors will do")
    func phone() throws {
        let scene = try scene(Self.command)
        let factor = try #require(confirmPhone(scene))
        #expect(factor["phoneNumber"] == "+81 ***-***-1234" && factor["displayName"] == "Pocket")
        #expect(messages(scene).first?["to"] == Self.number)
        #expect(messages(scene).first?["text"]?.stringValue?.contains(lastCode(scene).stringValue ?? "-") == true)
        #expect(scene.call("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": Self.number]).errorName == "SecondFactorAlreadyEnrolled")
        let authenticator = try scene.enroll()
        let (first, uid) = (lastCode(scene).stringValue ?? "", factor["uid"] ?? .null)
        let required = try Required(scene.signIn("ada", app: "two"))
        let totp = required.hints.last?.objectValue?["uid"] ?? .null
        func start(_ factor: JSON) -> RecordedReply {
            scene.daemon.call("StartSecondFactor", ["resolver": required.resolver, "uid": factor])
        }
        // Nothing is sent unasked, and the code of the enrolment is not one of this sign-in.
        #expect(messages(scene).count == 1 && resolve(scene, required.resolver, uid, first).errorName == "InvalidVerificationCode")
        #expect(start(totp).errorName == "InvalidCredential")
        #expect(sending(scene) { start(uid) }.error == nil)
        let second = lastCode(scene).stringValue ?? ""
        #expect(sending(scene) { start(uid) }.error == nil && second != lastCode(scene).stringValue)
        #expect(resolve(scene, required.resolver, uid, second).errorName == "InvalidVerificationCode")
        #expect(resolve(scene, required.resolver, uid, lastCode(scene).stringValue ?? "").error == nil)
        #expect(start(uid).errorName == "InvalidCredential")
        let other = try Required(scene.signIn("ada", app: "three"))
        #expect(resolve(scene, other.resolver, totp, code(authenticator, in: scene)).error == nil)
        let log = scene.daemon.executor.isolated { [log = scene.daemon.log] in log.entries.map(\.message).joined() }
        #expect(messages(scene).allSatisfy { !log.contains($0["code"]?.stringValue ?? "") } && !log.contains("+819012341234"))
    }

    @Test("Messages are limited for a number and in all, over a restart too; the last code that was sent stays good")
    func messageLimits() throws {
        let scene = try scene(Self.command)
        let uid = try #require(confirmPhone(scene)?["uid"])
        let required = try Required(scene.signIn("ada", app: "two"))
        let start: JSONObject = ["resolver": required.resolver, "uid": uid]
        for _ in 0..<4 { #expect(sending(scene) { scene.daemon.call("StartSecondFactor", start) }.error == nil) }
        let (sent, last) = (messages(scene).count, lastCode(scene).stringValue ?? "")
        let restarted = try scene.restarted()
        let refused = restarted.daemon.call("StartSecondFactor", start)
        #expect(refused.errorName == "TooManyAttempts" && 1...600 ~= refused.error?.object["retryAfterSeconds"]?.integerValue ?? 0)
        #expect(resolve(restarted, required.resolver, uid, last).error == nil)
        func enroll(_ number: Int) -> RecordedReply { enrollPhone(restarted, number: .string("+8190000000\(number)"), app: "two") }
        for number in sent..<20 { #expect(enroll(number).error == nil) }
        #expect(enroll(99).errorName == "TooManyAttempts" && messages(restarted).count == 20 - sent)
    }

    @Test("A gateway gets the message and its token, and a code that cannot be sent enrolls nothing", arguments: [true, false])
    func notSent(byGateway: Bool) throws {
        let scene = try scene(byGateway ? Self.gateway : Self.command)
        scene.people.held = "https://sms.example/send"
        let begun = scene.call("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": Self.number])
        // Meanwhile everybody else is served.
        #expect(!begun.isFinished && scene.user()?["email"] == "ada@example.com")
        if byGateway {
            let waiting = scene.daemon.executor.isolated { [provider = scene.daemon.provider] in provider.waiting.first?.request }
            let request = try #require(waiting)
            #expect(request.method == "POST" && request.headers.contains { $0 == ("Authorization", "Bearer hunter2") })
            #expect(try JSON(parsing: request.body).objectValue?["to"] == Self.number)
            scene.daemon.answer(status: 503)
        } else {
            scene.daemon.executor.isolated { [commands = scene.daemon.commands] in commands.end("took too long") }
            scene.daemon.settle()
        }
        #expect(begun.errorName == "ProviderUnreachable" && begun.message.contains(byGateway ? "503" : "took too long"), "\(begun.message)")
        #expect(begun.error?.object["providerID"] == "phone" && factors(scene) == [])
    }

    @Test("What is wrong with the way to phones, or with the number, is said before anything is sent")
    func configuration() throws {
        let scene = try scene()
        func enroll(_ number: JSON = Self.number) -> RecordedReply {
            scene.call("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": number])
        }
        #expect(enroll().errorName == "ProviderNotConfigured" && enroll().message.contains("[second-factor.phone]"))
        try scene.daemon.reload(scene.toml + "[second-factor.phone]\ngateway = \"https://sms.example\"\ngateway-token = { file = \"/none\" }\n")
        #expect(enroll().errorName == "ProviderNotConfigured" && enroll().message.contains("token"))
        try scene.daemon.reload(scene.toml + Self.command)
        for number: JSON in ["090-1234-1234", "+0901234", "+81 90 1234 1234"] { #expect(enroll(number).errorName == "InvalidCredential") }
        #expect(messages(scene) == [] && confirmPhone(scene)?["factorID"] == "phone")
    }
}
