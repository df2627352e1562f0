import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Something happens to a credential at every point of its renewal.
@Suite("A renewal that races with something else", .serialized)
struct TokenRaceTests {
    private let token: JSONObject = ["providerID": "work"]
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]

    /// Somebody has signed in, and got `at-1` and `rt-1`; the provider answers at once.
    private func signedIn() throws -> TestApplication {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        return daemon
    }

    // MARK: The configuration

    /// The name is given to another issuer.
    private static let otherIssuer = TestApplication.example.replacing("work.example", with: "other.example")
    private static let otherClient = TestApplication.example.replacing("\"client\"", with: "\"another\"")

    @Test(
        "A reload: what the provider was asked is kept for it, and no token of it goes to another",
        arguments: [TestApplication.example, "", TokenRaceTests.otherIssuer, TokenRaceTests.otherClient], [true, false])
    func reload(toml: String, refreshFirst: Bool) throws {
        let reload: (TestApplication) throws -> RecordedReply = { daemon in
            try TestApplication.write(toml, to: "\(daemon.directory)/config.toml")
            return daemon.call("Reload", settling: false)
        }
        let isSame = toml == TestApplication.example
        let endings = try everyInterleaving {
            try signedIn()
        } first: {
            try refreshFirst ? $0.call("GetAccessToken", fresh, settling: false) : reload($0)
        } second: {
            try refreshFirst ? reload($0) : $0.call("GetAccessToken", fresh, settling: false)
        } check: { daemon, first, second, moment in
            let reply = refreshFirst ? first : second
            #expect((refreshFirst ? second : first).error == nil && reply.lastWords == 1, moment)
            let isRenewed = !daemon.tokenRequests.isEmpty
            #expect(isRenewed ? reply["accessToken"] == "at-2" : reply.error != nil, "\(reply.message) \(moment)")
            #expect(isRenewed || !isSame, moment)
            if !isSame {
                let later = daemon.call("GetAccessToken", token)
                #expect(later.errorName == (toml.isEmpty ? "ProviderNotFound" : "SignInRequired"), moment)
                #expect(daemon.call("GetAccessToken", fresh).error != nil, moment)
                try daemon.reload(TestApplication.example)
            }
            let kept = isRenewed ? 2 : 1
            #expect(daemon.call("GetAccessToken", token)["accessToken"] == .string("at-\(kept)"), moment)
            daemon.pass(seconds: 10)
            #expect(daemon.call("GetAccessToken", fresh)["accessToken"] == .string("at-\(kept + 1)"), moment)
            #expect(daemon.tokenRequests.last == "rt-\(kept)" && daemon.tokenRequests.count == kept, moment)
            #expect(daemon.executor.isolated { daemon.provider.sent.allSatisfy { $0.host == "work.example" } }, moment)
            return isRenewed ? "renewed" : "refused"
        }
        #expect(endings[isSame || refreshFirst ? "renewed" : "refused"] != nil)
    }

    @Test("A reload while the answer is still to come: the new tokens are kept for the issuer that gave them", arguments: ["", TokenRaceTests.otherIssuer])
    func reloadMeanwhile(toml: String) throws {
        let daemon = try signedIn()
        daemon.providerWaits()
        let reply = daemon.call("GetAccessToken", fresh)
        try daemon.reload(toml)
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(reply.isFinished)
        daemon.pass(seconds: 10)
        #expect(daemon.call("GetAccessToken", fresh).error != nil && !daemon.isAsked)
        // With the configuration of before.
        let restarted = try daemon.restarted()
        #expect(restarted.call("GetAccessToken", token)["accessToken"] == "at-2")
        restarted.call("GetAccessToken", fresh)
        #expect(restarted.tokenRequests == ["rt-2"])
    }

    // MARK: Programs

    @Test("Another program wants a fresh token too: one request serves both, whenever it comes")
    func secondProgram() throws {
        try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("GetAccessToken", fresh, settling: false)
        } second: {
            $0.call("GetAccessToken", fresh, settling: false)
        } check: { daemon, first, second, moment in
            for reply in [first, second] { #expect(reply["accessToken"] == "at-2" && reply.lastWords == 1, moment) }
            #expect(daemon.tokenRequests == ["rt-1"], moment)
            return ""
        }
    }

    @Test("The program that caused it leaves: those who wait have the token, and it is kept")
    func leaving() throws {
        try everyInterleaving {
            let daemon = try signedIn()
            return (daemon, daemon.call("GetAccessToken", fresh, settling: false))
        } first: { daemon, _ in
            daemon.call("GetAccessToken", fresh, settling: false)
        } second: { daemon, leaving in
            daemon.leave(leaving)
        } check: { scene, staying, _, moment in
            #expect(staying["accessToken"] == "at-2" && staying.lastWords == 1, moment)
            #expect(scene.0.tokenRequests == ["rt-1"], moment)
            #expect(scene.0.call("GetAccessToken", token)["accessToken"] == "at-2", moment)
            return ""
        }
    }

    // MARK: The credential

    @Test("RevokeCredential: every token that is still valid is revoked, and none is kept", arguments: [true, false])
    func revocation(refreshFirst: Bool) throws {
        try everyInterleaving {
            try signedIn()
        } first: {
            $0.call(refreshFirst ? "GetAccessToken" : "RevokeCredential", refreshFirst ? fresh : token, settling: false)
        } second: {
            $0.call(refreshFirst ? "RevokeCredential" : "GetAccessToken", refreshFirst ? token : fresh, settling: false)
        } check: { daemon, first, second, moment in
            let (refreshing, revoking) = refreshFirst ? (first, second) : (second, first)
            #expect(revoking["revokedAtProvider"] == true && revoking.lastWords == 1 && refreshing.lastWords == 1, moment)
            #expect(refreshing["accessToken"] == "at-2" || refreshing.errorName == "SignInRequired", moment)
            let last = daemon.tokenRequests.isEmpty ? "1" : "2"
            #expect(Set(daemon.revoked).isSuperset(of: ["at-\(last)", "rt-\(last)"]), moment)
            #expect(daemon.counts == [1, 0], moment)
            let left = try daemon.restarted().counts
            #expect(left == [1, 0], moment)
            return ""
        }
    }

    @Test("DeleteUser: every token that is still valid is revoked, and none is kept")
    func deleteUser() throws {
        try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("GetAccessToken", fresh, settling: false)
        } second: {
            $0.call("DeleteUser", settling: false)
        } check: { daemon, refreshing, deleting, moment in
            #expect(deleting.error == nil && refreshing.lastWords == 1, moment)
            let last = daemon.tokenRequests.isEmpty ? "1" : "2"
            #expect(Set(daemon.revoked).isSuperset(of: ["at-\(last)", "rt-\(last)"]), moment)
            #expect(daemon.counts == [0, 0], moment)
            return ""
        }
    }

    @Test("A sign-in of the same account: its tokens are the ones that are kept, and no newer ones are lost")
    func signIn() throws {
        var endings: Set<String> = []
        for refreshFirst in [true, false] {
            let these = try everyInterleaving {
                try PendingSignIn(try signedIn())
            } first: {
                refreshFirst ? $0.daemon.call("GetAccessToken", fresh, settling: false) : $0.browserReturns()
            } second: {
                refreshFirst ? $0.browserReturns() : $0.daemon.call("GetAccessToken", fresh, settling: false)
            } check: { scene, first, second, moment in
                let daemon = scene.daemon
                let refreshing = refreshFirst ? first : second
                #expect(scene.reply.isCompleted && refreshing.error == nil && refreshing.lastWords == 1, moment)
                #expect(daemon.tokenRequests.count == 1 && daemon.revoked.isEmpty, moment)
                let given = try #require(scene.reply.event?["credential"]?.objectValue?["accessToken"]?.stringValue, moment)
                // Unless the sign-in's own was renewed since.
                let isRenewed = daemon.tokenRequests == [given.replacing("at", with: "rt")]
                let last = isRenewed ? "at-3" : given
                let restarted = try daemon.restarted()
                #expect(restarted.call("GetAccessToken", token)["accessToken"] == .string(last), moment)
                #expect(restarted.sentForFreshToken == [last.replacing("at", with: "rt")], moment)
                return isRenewed ? "\(given), renewed" : given
            }
            endings.formUnion(these.keys)
        }
        #expect(endings == ["at-2", "at-3", "at-2, renewed"])
    }

    @Test(
        "The credential or its user goes while the same account signs in: what is kept is good at the provider, what is not is taken back",
        arguments: ["RevokeCredential", "DeleteUser"], [true, false])
    func goneWhileSigningIn(method: String, signInFirst: Bool) throws {
        let parameters = method == "DeleteUser" ? [:] : token
        let endings = try everyInterleaving {
            try PendingSignIn(try signedIn())
        } first: {
            signInFirst ? $0.browserReturns() : $0.daemon.call(method, parameters, settling: false)
        } second: {
            signInFirst ? $0.daemon.call(method, parameters, settling: false) : $0.browserReturns()
        } check: { scene, first, second, moment in
            let daemon = scene.daemon
            let gone = signInFirst ? second : first
            #expect(gone.error == nil && gone.lastWords == 1 && scene.reply.lastWords == 1, "\(gone.message) \(moment)")
            let kept = daemon.call("GetAccessToken", token)["accessToken"]?.stringValue
            let restarted = try daemon.restarted()
            #expect(restarted.call("GetAccessToken", token)["accessToken"]?.stringValue == kept, moment)
            guard let kept else {
                #expect(daemon.revoked.contains("rt-2") && daemon.revoked.contains("at-2"), moment)
                return "gone"
            }
            #expect(kept == "at-2" && !daemon.revoked.contains("at-2") && !daemon.revoked.contains("rt-2"), moment)
            #expect(scene.reply.isCompleted && restarted.counts == [1, 1], moment)
            return "kept"
        }
        #expect(endings["kept"] != nil || signInFirst)
    }

    // MARK: A disk without room

    /// A renewal whose answer cannot be written: it is too large for the pages that are there.
    private func unsaved() throws -> (daemon: TestApplication, refreshToken: String) {
        let daemon = try signedIn()
        daemon.providerWaits()
        daemon.disk(isFull: true)
        let reply = daemon.call("GetAccessToken", fresh)
        let long = "rt-" + String(repeating: "x", count: 15_000)
        daemon.answerToken("at-2", refreshToken: long)
        #expect(reply.errorName == "StoreDamaged")
        return (daemon, long)
    }

    @Test("What cannot be written is held, written when there is room, and the program has it then")
    func fullDisk() throws {
        let (daemon, refreshToken) = try unsaved()
        #expect(daemon.executor.isolated { daemon.application.isBusy })
        daemon.pass(seconds: 31)
        #expect(daemon.executor.isolated { daemon.application.isBusy })
        daemon.disk(isFull: false)
        daemon.pass(seconds: 31)
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
        #expect(try daemon.restarted().sentForFreshToken == [refreshToken])
    }

    @Test("A held token is written before the daemon ends, or a lock completes", arguments: ["end", "end without its provider", "Lock"])
    func fullDiskAtTheEnd(how: String) throws {
        let (daemon, refreshToken) = try unsaved()
        daemon.disk(isFull: false)
        if how == "Lock" { daemon.call("Lock") } else if how != "end" { try daemon.reload("") }
        #expect(try daemon.restarted().sentForFreshToken == [refreshToken])
    }

    @Test("What is held and cannot be written at the end or at a lock either is said to be lost, and nothing else is", arguments: ["end", "Lock"])
    func lostAtTheEnd(how: String) throws {
        let (daemon, _) = try unsaved()
        func told() -> [String] { daemon.log.entries.map(\.message).filter { $0.contains(" is lost") } }
        #expect(told().isEmpty)
        if how == "Lock" { daemon.call("Lock") } else { daemon.run { await $0.close() } }
        #expect(told().count == 1 && told()[0].contains("`postern sign-in work`"), "\(told())")
    }

    @Test("The status names what is held, until it is written")
    func heldInStatus() throws {
        let (daemon, _) = try unsaved()
        func problems() -> [JSON] { daemon.call("GetStatus")["problems"]?.arrayValue ?? [] }
        #expect(problems().count == 1 && problems()[0].stringValue?.contains("could not be saved yet") == true)
        daemon.disk(isFull: false)
        daemon.pass(seconds: 31)
        #expect(problems().isEmpty)
    }

    @Test("A program that asks meanwhile has the old token no more, and the new one when there is room")
    func fullDiskAndAsked() throws {
        let (daemon, _) = try unsaved()
        #expect(daemon.call("GetAccessToken", token).errorName == "StoreDamaged")
        daemon.disk(isFull: false)
        #expect(daemon.call("GetAccessToken", token).error == nil)
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
    }
}

extension TestApplication {
    /// The refresh tokens that are sent when a program insists on a fresh access token now.
    fileprivate var sentForFreshToken: [String] {
        call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        return tokenRequests
    }
}
