import PosternApplication
import PosternCore
import PosternStore
import StrictJSON
import Testing

@Suite("Users of this machine", .serialized)
struct LocalUserTests {
    private let scene: AccountScene

    init() throws { scene = try AccountScene(.own) }

    private var daemon: TestApplication { scene.daemon }

    @discardableResult
    private func create(
        _ email: String = "ada@example.com", _ password: String = "correct horse", app: String = "default", _ further: JSONObject = [:],
        in scene: AccountScene? = nil
    ) -> RecordedReply {
        var all: JSONObject = ["email": .string(email), "password": .string(password)]
        for member in further.members { all[member.key] = member.value }
        return (scene ?? self.scene).call("CreateUser", all, app: app)
    }

    private func signIn(_ password: String = "correct horse", app: String = "two") -> RecordedReply {
        scene.signIn(password: password, app: app)
    }

    private func providers(_ email: String = "ada@example.com", in scene: AccountScene? = nil) -> [String] {
        (scene ?? self.scene).daemon.call("FetchProviders", ["email": .string(email)])["providerIDs"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    // MARK: Creating and signing in

    @Test("A new user has the address in lower case, a password and a name, and is signed in to its app alone")
    func creation() throws {
        let result = try #require(create("Ada@Example.com", app: "one", ["displayName": "Ada"])["result"]?.objectValue)
        let user = try #require(result["user"]?.objectValue)
        #expect(result["operation"] == "signIn" && result["credential"] == nil)
        #expect(result["additionalUserInfo"] == ["providerID": "password", "isNewUser": true, "profile": [:]])
        #expect(user["email"] == "ada@example.com" && user["emailVerified"] == false && user["displayName"] == "Ada" && user["isAnonymous"] == false)
        #expect(
            user["providerData"]
                == [["providerID": "password", "uid": "ada@example.com", "displayName": "Ada", "email": "ada@example.com"]])
        #expect(scene.uid(app: "one") == user["uid"] && scene.uid(app: "two") == nil)
        let again = scene.signIn(password: "correct horse", of: "ADA@example.COM", app: "two")
        #expect(again["result"]?.objectValue?["additionalUserInfo"]?.objectValue?["isNewUser"] == false && scene.uid(app: "two") == user["uid"])
        let restarted = try scene.restarted()
        #expect(restarted.uid(app: "one") == user["uid"] && restarted.signIn(password: "correct horse", app: "three").error == nil)
    }

    @Test("What is no address is refused by every method that takes one", arguments: ["", "ada", "a\u{202E}@b"])
    func noAddress(email: String) {
        #expect(scene.call("SignInAnonymously").error == nil)
        let replies = [
            create(email, app: "two"), scene.signIn(password: "correct horse", of: email), scene.signIn(password: "correct horse", of: email, intent: "link"),
            daemon.call("FetchProviders", ["email": .string(email)]), scene.call("UpdateUser", ["email": .string(email)]),
        ]
        #expect(replies.allSatisfy { $0.errorName == "InvalidEmail" } && daemon.counts == [1, 0])
    }

    @Test("A weak password is refused by every method that sets one, and changes nothing", arguments: ["", "short", "Countess", "password"])
    func weak(password: String) {
        #expect(scene.signIn("ada").isCompleted && scene.call("UpdateUser", ["displayName": "Countess"]).error == nil)
        let before = scene.user()
        let replies = [
            create("new@example.com", password, app: "two", ["displayName": "Countess"]), scene.signIn(password: password, intent: "link"),
            scene.call("UpdateUser", ["password": .string(password)]),
        ]
        #expect(replies.allSatisfy { $0.errorName == "WeakPassword" } && scene.user() == before && daemon.counts[0] == 1)
    }

    @Test("An address in use is refused in any letter case, whoever uses it and whatever else is changed with it")
    func addressInUse() {
        #expect(scene.signIn("ada", at: "home", app: "other").isCompleted && create("grace@example.com").error == nil)
        let before = scene.user()
        let replies = [
            create("ADA@example.com", app: "two"), create("Grace@Example.com", app: "two"),
            scene.call("UpdateUser", ["email": "Ada@Example.com", "displayName": "Grace"]),
        ]
        #expect(replies.allSatisfy { $0.errorName == "EmailAlreadyInUse" } && scene.user() == before)
        #expect(scene.call("SignInAnonymously").error == nil)
        #expect(scene.signIn(password: "correct horse", intent: "link").errorName == "EmailAlreadyInUse")
        #expect(scene.user()?["isAnonymous"] == true)
    }

    @Test("Where addresses may be shared, the address of a provider's user is free")
    func shared() throws {
        let scene = try AccountScene(.own, more: "[accounts]\none-account-per-email = false\n")
        #expect(scene.signIn("ada").isCompleted && create(app: "two", in: scene).error == nil)
        #expect(scene.uid() != scene.uid(app: "two") && providers(in: scene) == ["password"])
        #expect(create(app: "three", in: scene).errorName == "EmailAlreadyInUse")
    }

    @Test("A wrong password, an unknown address and a user without a password are refused, each with its own error")
    func wrong() {
        create()
        #expect(scene.signIn("grace", app: "other").isCompleted)
        for password in ["another password", "", String(repeating: "x", count: 1025)] { #expect(signIn(password).errorName == "WrongPassword") }
        #expect(scene.signIn(password: "correct horse", of: "grace@example.com").errorName == "WrongPassword")
        #expect(scene.signIn(password: "correct horse", of: "nobody@example.com").errorName == "UserNotFound")
        #expect(scene.user(app: "two") == nil)
    }

    @Test("An unknown address takes as much work as a wrong password")
    func work() {
        create()
        daemon.passwords.work = []
        for email in ["ada@example.com", "nobody@example.com"] { #expect(scene.signIn(password: "another password", of: email).error != nil) }
        #expect(daemon.passwords.work.count == 2 && Set(daemon.passwords.work).count == 1)
    }

    @Test("A hash that takes less work than new ones is replaced at the next sign-in, which signs nobody out")
    func raised() {
        create()
        #expect(signIn().error == nil)
        let (standard, less) = (daemon.passwords.work[0], PasswordHash.Parameters(cost: 2, blockSize: 1, parallelization: 1))
        let kept = keptHash { $0.parameters = less }
        for (password, work) in [("wrong horse", [less]), ("correct horse", [less, standard]), ("correct horse", [standard])] {
            daemon.passwords.work = []
            #expect((signIn(password, app: "three").error == nil) == (password == "correct horse"))
            #expect(daemon.passwords.work == work)
        }
        let raised = keptHash()
        #expect(raised?.salt != kept?.salt && raised?.changedAt == kept?.changedAt)
        #expect(scene.user() != nil && scene.user(app: "two") != nil)
    }

    /// What is stored of the password; it is changed first.
    private func keptHash(_ change: @escaping @Sendable (inout PasswordHash) -> Void = { _ in }) -> PasswordHash? {
        let found = Recorded<PasswordHash?>()
        daemon.run { [opener = daemon.opener] _ in
            found.value = try? await opener.store?.change { accounts throws(AccountFailure) in
                guard let user = try accounts.users(email: "ada@example.com").first, var hash = try accounts.password(uid: user.uid) else {
                    return (nil, AccountChanges())
                }
                change(&hash)
                var changes = AccountChanges(upsertUser: user)
                changes.password = .set(hash)
                return (hash, changes)
            }
        }
        return found.value ?? nil
    }

    // MARK: Guessing

    @Test("Guesses are counted before they are judged, at known and unknown addresses alike, and over a restart", arguments: ["ada", "nobody"])
    func guessing(name: String) throws {
        create()
        let guesses = (0..<14).map { number in
            daemon.call(
                "SignInWithCredential", ["credential": ["email": .string("\(name)@example.com"), "password": .string("guess \(number)")]],
                settling: false)
        }
        daemon.settle()
        #expect(guesses.count { $0.errorName == (name == "ada" ? "WrongPassword" : "UserNotFound") } == 10)
        #expect(guesses.count { $0.errorName == "TooManyAttempts" } == 4)
        let restarted = try scene.restarted()
        let refused = restarted.signIn(password: "correct horse", of: "\(name)@example.com")
        #expect(refused.errorName == "TooManyAttempts" && 1...300 ~= refused.error?.object["retryAfterSeconds"]?.integerValue ?? 0)
        #expect(create("grace@example.com", in: restarted).error == nil)
        #expect(restarted.signIn(password: "correct horse", of: "grace@example.com", app: "two").error == nil)
    }

    @Test("The right password takes the wrong ones off the count")
    func wiped() {
        create()
        for _ in 0..<2 {
            for number in 0..<9 { #expect(signIn("guess \(number)").errorName == "WrongPassword") }
            #expect(signIn().error == nil)
        }
    }

    @Test("Few new passwords wait to be hashed, and leave room for those who sign in")
    func flood() {
        create()
        daemon.passwords.isHeld = true
        let made = (0..<40).map { number in
            daemon.call(
                "CreateUser", ["email": .string("\(number)@example.com"), "password": "correct horse", "app": .string("app \(number)")],
                settling: false)
        }
        daemon.settle()
        // Two are hashed at a time, and sixteen wait.
        #expect(made.count { $0.errorName == "TooManyAttempts" } == 22 && made.count { !$0.isFinished } == 18)
        let entering = signIn()
        #expect(!entering.isFinished && daemon.counts[0] == 1)
        daemon.executor.isolated { [passwords = daemon.passwords] in passwords.release() }
        daemon.settle()
        #expect(entering.error == nil && entering.isFinished && daemon.counts[0] == 19)
    }

    // MARK: Linking and changing

    @Test("A provider's user gets a password, by linking or by an update, and keeps its uid and its verified address", arguments: [true, false])
    func passwordOfProvidersUser(isLinked: Bool) {
        #expect(scene.signIn("ada").isCompleted)
        let uid = scene.uid()
        #expect(
            (isLinked ? scene.signIn(password: "correct horse", intent: "link") : scene.call("UpdateUser", ["password": "correct horse"])).error == nil)
        #expect(scene.user()?["emailVerified"] == true && providers("ADA@example.com") == ["work", "password"])
        #expect(signIn().error == nil && scene.uid(app: "two") == uid)
        #expect(scene.call("UnlinkProvider", ["providerID": "password"]).error == nil)
        #expect(scene.user()?["email"] == "ada@example.com" && signIn().errorName == "WrongPassword" && providers("nobody@example.com") == [])
    }

    @Test("An anonymous user that gets an address and a password is signed in with them as the same user", arguments: [true, false])
    func anonymous(isLinked: Bool) {
        #expect(scene.call("SignInAnonymously").error == nil)
        let uid = scene.uid()
        #expect(scene.call("UpdateUser", ["password": "correct horse"]).errorName == "InvalidEmail")
        let reply =
            isLinked
            ? scene.signIn(password: "correct horse", intent: "link")
            : scene.call("UpdateUser", ["email": "Ada@example.com", "password": "correct horse"])
        #expect(reply.error == nil && scene.uid() == uid && scene.user()?["isAnonymous"] == false)
        #expect(signIn().error == nil && scene.uid(app: "two") == uid)
    }

    @Test("An anonymous user is the app's until it signs out, and of those that nobody can come back to few are kept")
    func anonymously() {
        let first = scene.call("SignInAnonymously", app: "held")["result"]?.objectValue
        let again = scene.call("SignInAnonymously", app: "held")["result"]?.objectValue
        #expect(first?["additionalUserInfo"]?.objectValue?["isNewUser"] == true && first?["user"] == again?["user"])
        #expect(again?["additionalUserInfo"]?.objectValue?["isNewUser"] == false)
        #expect(scene.call("SignInAnonymously", app: "a\nb").errorName == "InvalidParameter")
        for _ in 0..<130 {
            scene.call("SignInAnonymously")
            scene.call("SignOut")
        }
        #expect(daemon.counts[0] ?? 0 <= 102 && scene.uid(app: "held") == first?["user"]?.objectValue?["uid"])
    }

    @Test("A changed password or address signs the other apps out, and an account at a provider leads to the user as before")
    func changes() {
        #expect(scene.signIn("ada").isCompleted && scene.signIn("ada", app: "two").isCompleted)
        let uid = scene.uid()
        #expect(scene.call("UpdateUser", ["email": "New@Example.com"]).error == nil)
        #expect(scene.uid() == uid && scene.user()?["email"] == "new@example.com" && scene.user()?["emailVerified"] == false)
        // The account at the provider has the old address.
        #expect(scene.user(app: "two") == nil && providers() == ["work"] && providers("new@example.com") == ["work"])
        #expect(scene.signIn("ada", app: "two").isCompleted && scene.uid(app: "two") == uid)
        #expect(scene.call("UpdateUser", ["password": "correct horse"]).error == nil && scene.uid() == uid && scene.user(app: "two") == nil)
    }

    @Test("A name and a photo are changed, left as they are and removed; what is not fit to be shown is refused")
    func profile() {
        create()
        #expect(scene.call("UpdateUser", ["displayName": "Ada", "photoURL": "https://example.com/ada.png"]).error == nil)
        let before = scene.user()
        #expect(before?["displayName"] == "Ada" && before?["photoURL"] == "https://example.com/ada.png")
        for (name, value) in [("displayName", "a\nb"), ("photoURL", "javascript:alert(1)")] {
            let refused = scene.call("UpdateUser", [name: .string(value)])
            #expect(refused.errorName == "InvalidParameter" && refused.error?.object["parameter"] == .string(name))
        }
        #expect(create("grace@example.com", app: "two", ["displayName": "a\nb"]).errorName == "InvalidParameter")
        #expect(scene.call("UpdateUser").error == nil && scene.user() == before)
        let bare = scene.call("UpdateUser", ["displayName": "", "photoURL": ""])["user"]?.objectValue
        #expect(bare?["displayName"] == nil && bare?["photoURL"] == nil)
    }

    @Test(
        "A refusal for want of a user names the app",
        arguments: [
            ("UpdateUser", ["displayName": "Ada"]), ("UnlinkProvider", ["providerID": "work"]), ("DeleteUser", [:]),
            ("EnrollSecondFactor", ["factorID": "totp"]), ("RemoveSecondFactor", ["uid": "x"]),
            ("ConfirmSecondFactor", ["enrollmentID": "x", "verificationCode": "000000"]),
            ("SignInWithCredential", ["intent": "link", "credential": ["email": "ada@example.com", "password": "correct horse"]]),
            ("SignInWithCredential", ["intent": "reauthenticate", "credential": ["email": "ada@example.com", "password": "correct horse"]]),
        ] as [(String, JSONObject)])
    func nobody(method: String, parameters: JSONObject) {
        let refused = scene.call(method, parameters, app: "empty")
        #expect(refused.errorName == "NoCurrentUser" && refused.error?.object["app"] == "empty")
    }

    @Test("Neither the log nor Monitor has a password or an address")
    func secrets() {
        let monitor = daemon.call("Monitor", more: true)
        create("secret-ada@example.com")
        for (email, password) in [("secret-ada", "wrong horse"), ("secret-nobody", "correct horse"), ("secret-ada", "correct horse")] {
            _ = scene.signIn(password: password, of: "\(email)@example.com")
        }
        #expect(scene.call("UpdateUser", ["password": "battery staple"]).error == nil)
        let told = daemon.executor.isolated { [log = daemon.log] in log.entries.map(\.message) } + monitor.replies.map { JSON.object($0).text }
        #expect(told.contains { $0.contains("changed") })
        for secret in ["correct horse", "wrong horse", "battery staple", "secret-"] { #expect(!told.joined().contains(secret)) }
    }

    // MARK: The end

    @Test("Of each change there is all on disk when it is answered, and all or nothing before")
    func crash() throws {
        /// The user's name, and the passwords that are good.
        func state(_ scene: AccountScene) -> [String] {
            let good = ["correct horse", "another horse"].filter { scene.signIn(password: $0, app: "two").error == nil }
            return ["\(scene.user()?["displayName"]?.stringValue ?? "nobody")"] + good
        }
        let changes: [(String, JSONObject)] = [
            ("CreateUser", ["email": "ada@example.com", "password": "correct horse", "displayName": "Ada"]),
            ("UpdateUser", ["displayName": "Countess"]), ("UpdateUser", ["password": "another horse"]), ("DeleteUser", [:]),
        ]
        var before = ["nobody"]
        for ((method, parameters), after) in zip(
            changes, [["Ada", "correct horse"], ["Countess", "correct horse"], ["Countess", "another horse"], ["nobody"]])
        {
            let images = try scene.images { #expect(scene.call(method, parameters).error == nil) }
            let states = try images.map { state(try scene.run(on: $0)) }
            #expect(states.last == after && states.allSatisfy { $0 == before || $0 == after }, "\(method): \(states)")
            before = after
        }
    }

    @Test("A deleted user is gone from every app, with its credentials, handles and results, and the same account is a new user")
    func deletion() throws {
        #expect(scene.signIn("ada").isCompleted && scene.signIn(password: "correct horse", intent: "link").error == nil)
        let (uid, handle) = (scene.uid(), try scene.handle("ada", at: "work"))
        let unfetched = scene.ask("work", app: "two")
        daemon.leave(unfetched)
        daemon.browserReturns("state=\(unfetched.pageState ?? "")&code=ada")
        #expect(scene.uid(app: "two") == uid)
        // A provider that does not answer keeps no user.
        scene.people.held = "https://work.example/revoke"
        #expect(scene.call("DeleteUser").error == nil)
        #expect(scene.user() == nil && scene.user(app: "two") == nil && daemon.counts == [0, 0] && providers() == [])
        #expect(scene.use(["handle": handle]).errorName == "InvalidCredential" && signIn().errorName == "UserNotFound")
        #expect(daemon.call("AttachSession", ["sessionID": unfetched.event?["sessionID"] ?? .null]).errorName == "SessionNotFound")
        #expect(daemon.call("GetAccessToken", ["providerID": "work"]).errorName == "SignInRequired")
        #expect(scene.signIn("ada").isCompleted && scene.uid() != uid)
    }
}
