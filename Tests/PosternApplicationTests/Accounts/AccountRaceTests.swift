import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Whichever comes first: the end is that of one of the two orders.
@Suite("Two changes of the accounts at once", .serialized)
struct AccountRaceTests {
    private typealias Change = () -> RecordedReply

    private func race(
        _ prepare: (AccountScene) throws -> (Change, Change), endings expected: () -> Set<String>,
        check: (AccountScene, [RecordedReply], Comment) throws -> String
    ) throws {
        var endings: Set<String> = []
        // Where both take equally many steps, whichever begins first is first.
        for isSwapped in [false, true] {
            endings.formUnion(
                try everyInterleaving {
                    let scene = try AccountScene(.own)
                    let changes = try prepare(scene)
                    return (scene: scene, first: isSwapped ? changes.1 : changes.0, second: isSwapped ? changes.0 : changes.1)
                } first: {
                    $0.first()
                } second: {
                    $0.second()
                } check: { prepared, first, second, moment in
                    #expect(first.lastWords == 1 && second.lastWords == 1, moment)
                    return try check(prepared.scene, isSwapped ? [second, first] : [first, second], moment)
                }.keys)
        }
        #expect(endings == expected())
    }

    private func change(_ scene: AccountScene, _ method: String, _ parameters: JSONObject = [:], app: String = "default") -> RecordedReply {
        var all = parameters
        all["app"] = .string(app)
        return scene.daemon.call(method, all, settling: false)
    }

    private func use(_ scene: AccountScene, _ handle: JSON, app: String = "default", intent: String = "signIn") -> RecordedReply {
        change(scene, "SignInWithCredential", ["credential": ["handle": handle], "intent": .string(intent)], app: app)
    }

    private func enter(_ scene: AccountScene, _ password: String = "correct horse") -> RecordedReply {
        change(scene, "SignInWithCredential", ["credential": ["email": "ada@example.com", "password": .string(password)]], app: "b")
    }

    /// The account of the only one that succeeded.
    private func winner(_ replies: [RecordedReply], other error: String, _ moment: Comment) throws -> Int {
        let winner = try #require(replies.firstIndex { $0.error == nil }, moment)
        #expect(replies[1 - winner].errorName == error, moment)
        return winner
    }

    private func isNew(_ reply: RecordedReply) -> Bool { reply["result"]?.objectValue?["additionalUserInfo"]?.objectValue?["isNewUser"] == true }

    @Test("Of two users that link one account, with handles or with pages, one has it", arguments: [true, false])
    func oneAccount(byHandle: Bool) throws {
        try race { scene in
            #expect(scene.signIn("ada", app: "a").isCompleted && scene.signIn("bob", app: "b").isCompleted)
            if byHandle {
                let handles = try ["a", "b"].map { try scene.handle("eve", at: "club", app: $0) }
                return ({ use(scene, handles[0], app: "a", intent: "link") }, { use(scene, handles[1], app: "b", intent: "link") })
            }
            let pages = try ["a", "b"].map { try PendingSignIn(scene.daemon, joining: scene.ask("club", app: $0, intent: "link")) }
            func come(_ page: PendingSignIn) -> RecordedReply {
                _ = page.browserReturns(code: "eve")
                return page.reply
            }
            return ({ come(pages[0]) }, { come(pages[1]) })
        } endings: {
            ["a", "b"]
        } check: { scene, replies, moment in
            let winner = ["a", "b"][try winner(replies, other: "CredentialAlreadyInUse", moment)]
            #expect(scene.accounts(app: "a") == ["work/ada"] + (winner == "a" ? ["club/eve"] : []), moment)
            #expect(scene.accounts(app: "b") == ["work/bob"] + (winner == "b" ? ["club/eve"] : []), moment)
            #expect(scene.signIn("eve", at: "club", app: "c").isCompleted && scene.uid(app: "c") == scene.uid(app: winner), moment)
            return winner
        }
    }

    @Test("Of two accounts of one provider one is linked")
    func oneProvider() throws {
        try race { scene in
            #expect(scene.signIn("ada").isCompleted)
            let handles = try ["eve", "mal"].map { try scene.handle($0, at: "club") }
            return ({ use(scene, handles[0], intent: "link") }, { use(scene, handles[1], intent: "link") })
        } endings: {
            ["club/eve", "club/mal"]
        } check: { scene, replies, moment in
            let linked = ["club/eve", "club/mal"][try winner(replies, other: "ProviderAlreadyLinked", moment)]
            #expect(scene.accounts() == ["work/ada", linked], moment)
            return linked
        }
    }

    @Test("A new account that signs in twice is one user; an address of two providers belongs to one of them", arguments: [true, false])
    func newUser(isOneAccount: Bool) throws {
        try race { scene in
            let handles = [try scene.handle("ada", at: "home", app: "a"), try scene.handle("ada", at: isOneAccount ? "home" : "club", app: "b")]
            return ({ use(scene, handles[0], app: "a") }, { use(scene, handles[1], app: "b") })
        } endings: {
            ["a", "b"]
        } check: { scene, replies, moment in
            guard isOneAccount else { return ["a", "b"][try winner(replies, other: "AccountExistsWithDifferentCredential", moment)] }
            #expect(replies.allSatisfy { $0.error == nil } && scene.uid(app: "a") == scene.uid(app: "b"), moment)
            #expect(replies.count(where: isNew) == 1, moment)
            return isNew(replies[0]) ? "a" : "b"
        }
    }

    @Test("A handle is good for one of two programs")
    func oneHandle() throws {
        try race { scene in
            let handle = try scene.handle("ada", at: "home")
            return ({ use(scene, handle, app: "a") }, { use(scene, handle, app: "b") })
        } endings: {
            ["a", "b"]
        } check: { scene, replies, moment in
            let winner = ["a", "b"][try winner(replies, other: "InvalidCredential", moment)]
            #expect(scene.user(app: winner == "a" ? "b" : "a") == nil && scene.daemon.counts == [1, 1], moment)
            return winner
        }
    }

    @Test("A sign-in against the unlinking of its account: as that user, or refused, and a stranger's account afterwards")
    func unlinking() throws {
        try race { scene in
            #expect(scene.signIn("ada").isCompleted && scene.signIn("eve", at: "club", intent: "link").isCompleted)
            let handle = try scene.handle("eve", at: "club", app: "b")
            return ({ use(scene, handle, app: "b") }, { change(scene, "UnlinkProvider", ["providerID": "club"]) })
        } endings: {
            ["signed in", "refused"]
        } check: { scene, replies, moment in
            #expect(replies[1].error == nil && scene.accounts() == ["work/ada"], moment)
            let isRefused = replies[0].errorName == "InvalidCredential"
            #expect(isRefused || scene.uid(app: "b") == scene.uid(), moment)
            #expect(scene.signIn("eve", at: "club", app: "c").isCompleted && scene.uid(app: "c") != scene.uid(), moment)
            return isRefused ? "refused" : "signed in"
        }
    }

    @Test("A link against the deletion of its user: nobody has the account afterwards")
    func deletionOfLinking() throws {
        try race { scene in
            #expect(scene.signIn("ada").isCompleted)
            let handle = try scene.handle("eve", at: "club")
            return ({ use(scene, handle, intent: "link") }, { change(scene, "DeleteUser") })
        } endings: {
            ["done", "NoCurrentUser"]
        } check: { scene, replies, moment in
            #expect(replies[1].error == nil && scene.user() == nil && scene.daemon.counts[0] == 0, moment)
            for (person, provider) in [("ada", "work"), ("eve", "club")] {
                let reply = scene.signIn(person, at: provider, app: "c")
                #expect(reply.event?["result"]?.objectValue?["additionalUserInfo"]?.objectValue?["isNewUser"] == true, moment)
            }
            return replies[0].ending
        }
    }

    @Test("A sign-in against the deletion of its user: nobody is signed in as a user that is gone", arguments: ["handle", "password"])
    func deletion(way: String) throws {
        try race { scene in
            #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
            #expect(scene.signIn("adas", at: "club", intent: "link").isCompleted)
            let handle = try scene.handle("adas", at: "club", app: "b")
            return ({ way == "handle" ? use(scene, handle, app: "b") : enter(scene) }, { change(scene, "DeleteUser") })
        } endings: {
            ["done", way == "handle" ? "InvalidCredential" : "UserNotFound"]
        } check: { scene, replies, moment in
            #expect(replies[1].error == nil && scene.user() == nil && scene.user(app: "b") == nil && scene.daemon.counts == [0, 0], moment)
            return replies[0].ending
        }
    }

    @Test("An address goes to one of two that create a user with it")
    func creation() throws {
        try race { scene in
            let parameters: JSONObject = ["email": "ada@example.com", "password": "correct horse"]
            return ({ change(scene, "CreateUser", parameters, app: "a") }, { change(scene, "CreateUser", parameters, app: "b") })
        } endings: {
            ["a", "b"]
        } check: { scene, replies, moment in
            let winner = ["a", "b"][try winner(replies, other: "EmailAlreadyInUse", moment)]
            #expect(scene.daemon.counts[0] == 1 && scene.user(app: winner == "a" ? "b" : "a") == nil, moment)
            return winner
        }
    }

    @Test("A password that changes while it is tried: the change signs the app out, or the password was wrong")
    func passwordChange() throws {
        try race { scene in
            #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse"]).error == nil)
            return ({ enter(scene) }, { change(scene, "UpdateUser", ["password": "another horse"]) })
        } endings: {
            ["done", "WrongPassword"]
        } check: { scene, replies, moment in
            #expect(replies[1].error == nil && scene.user(app: "b") == nil, moment)
            #expect(scene.signIn(password: "another horse", app: "b").error == nil, moment)
            return replies[0].ending
        }
    }
}
