@testable import PosternApplication
import PosternCore
import PosternInterface
import StrictJSON
import Testing

/// The daemon ends in order: what a provider was asked is kept, what waits for the user is there in the next life, and whoever calls
/// is told to call again.
@Suite("A daemon that ends while something is under way", .serialized)
struct EndingTests {
    private static let code =
        #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#

    /// As the daemon goes about it: nothing new, then the rest of the work, then the store.
    private func end(_ daemon: TestApplication) -> Recorded<Bool> {
        let (application, timers, ended) = (daemon.application, daemon.timers, Recorded<Bool>())
        DaemonActor.start {
            application.takeNothingNew()
            await application.ground.platform.work.whenEmpty(within: 35_000, timers: timers)
            await application.close()
            ended.value = true
        }
        return ended
    }

    private func begunToEnd(_ daemon: TestApplication) -> Recorded<Bool> {
        let ended = end(daemon)
        daemon.settle()
        return ended
    }

    // MARK: Calls

    @Test("Every method is told that the daemon is stopping", arguments: Interface.Method.allCases)
    func calls(method: Interface.Method) throws {
        let daemon = try TestApplication()
        daemon.executor.isolated { daemon.application.takeNothingNew() }
        let reply = daemon.call(method.rawValue, more: true)
        #expect(reply.errorName == "InternalError" && reply.message.contains("call again") && reply.lastWords == 1)
    }

    @Test("A call that came before the end is carried out, whenever the end comes")
    func before() throws {
        let daemons = try everyInterleaving {
            try TestApplication()
        } first: {
            $0.call("SignInAnonymously", settling: false)
        } second: {
            end($0)
        } check: { daemon, reply, ended, moment in
            #expect(ended.value == true && reply.error == nil && reply.lastWords == 1, moment)
            let next = try TestApplication(directory: daemon.directory)
            #expect(next.counts == [1, 0], moment)
            return ""
        }
        #expect(daemons.values.reduce(0, +) > 3)
    }

    // MARK: Sign-ins

    @Test("A callback against the end: its code is sent once, in this life or the next, and what came of it is never lost")
    func callback() throws {
        let endings = try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            return try PendingSignIn(daemon)
        } first: {
            try $0.browserReturnsByHTTP()
        } second: {
            end($0.daemon)
        } check: { scene, _, ended, moment in
            #expect(ended.value == true && scene.reply.lastWords <= 1, moment)
            let sent = scene.daemon.redeemedCodes
            let next = try TestApplication(directory: scene.daemon.directory)
            next.providerAnswers()
            let session: JSONObject = ["sessionID": .string(scene.id)]
            if sent.isEmpty {
                #expect(next.sessionStates == ["authorizationPending"] && next.counts == [0, 0], moment)
                next.browserReturns("state=\(scene.state)&code=abc")
            }
            let attached = next.call("AttachSession", session)
            #expect(scene.reply.isCompleted ? attached.errorName == "SessionNotFound" : attached.isCompleted, moment)
            #expect(sent + next.redeemedCodes == ["abc"] && next.counts == [1, 1], moment)
            #expect(scene.daemon.revoked.isEmpty && next.revoked.isEmpty, moment)
            return sent.isEmpty ? "in the next life" : "in this one"
        }
        #expect(endings["in this one"] != nil)
    }

    @Test("The end waits for each answer of an exchange, and the program has its result")
    func exchange() throws {
        let daemon = try TestApplication()
        let reply = daemon.beginSignIn()
        let ended = begunToEnd(daemon)
        daemon.answerToken("at-1", refreshToken: "rt-1")
        #expect(ended.value == nil && !reply.isFinished)
        daemon.answer(json: #"{"id":"42"}"#)
        #expect(ended.value == true && reply.isCompleted)
        let next = try TestApplication(directory: daemon.directory)
        #expect(next.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1")
    }

    @Test("An exchange whose answer does not come is given up, and its code is not sent again")
    func exchangeWithoutAnswer() throws {
        let daemon = try TestApplication()
        let scene = try PendingSignIn(daemon)
        daemon.browserReturns("state=\(scene.state)&code=abc")
        let ended = begunToEnd(daemon)
        daemon.pass(seconds: 34)
        #expect(ended.value == nil)
        daemon.pass(seconds: 1)
        #expect(ended.value == true)
        let next = try TestApplication(directory: daemon.directory)
        let attached = next.call("AttachSession", ["sessionID": .string(scene.id)])
        #expect(attached.errorName == "ExchangeFailed" && attached.message.contains("a code is never sent twice"))
        #expect(next.browserReturns("state=\(scene.state)&code=abc").error == nil || next.redeemedCodes.isEmpty)
        #expect(next.redeemedCodes.isEmpty && !next.isAsked)
    }

    @Test("A device code: the answer that is under way counts, no other question is asked before the next life", arguments: [true, false])
    func devicePoll(isGranted: Bool) throws {
        let daemon = try TestApplication()
        let reply = daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        daemon.answer(json: Self.code)
        daemon.pass(seconds: 5)
        let ended = begunToEnd(daemon)
        #expect(ended.value == nil)
        if isGranted {
            daemon.answerToken("at-1")
            daemon.answer(json: #"{"id":"42"}"#)
            #expect(reply.isCompleted)
        } else {
            daemon.answer(status: 400, json: #"{"error":"authorization_pending"}"#)
        }
        #expect(ended.value == true)
        daemon.pass(seconds: 60)
        #expect(daemon.polls == 1)
        let next = try TestApplication(directory: daemon.directory)
        next.providerAnswers()
        next.pass(seconds: 5)
        #expect(next.polls == (isGranted ? 0 : 1) && next.counts == [1, 1])
    }

    @Test("A device code that is due while the daemon ends is not asked about")
    func devicePollDue() throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        daemon.executor.isolated { daemon.application.takeNothingNew() }
        daemon.pass(seconds: 60)
        #expect(daemon.polls == 0)
    }

    // MARK: Credentials

    @Test("A renewal against the end: the rotated refresh token is on disk")
    func renewal() throws {
        try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("GetAccessToken", ["providerID": "work", "forceRefresh": true], settling: false)
        } second: {
            end($0)
        } check: { daemon, reply, ended, moment in
            #expect(ended.value == true && reply["accessToken"] == "at-2" && reply.lastWords == 1, moment)
            let next = try TestApplication(directory: daemon.directory)
            next.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
            #expect(next.tokenRequests == ["rt-2"], moment)
            return ""
        }
    }

    @Test("A revocation against the end: both tokens are revoked, and nothing is left")
    func revocation() throws {
        try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("RevokeCredential", ["providerID": "work"], settling: false)
        } second: {
            end($0)
        } check: { daemon, reply, ended, moment in
            #expect(ended.value == true && reply["revokedAtProvider"] == true && daemon.revoked == ["rt-1", "at-1"], moment)
            let next = try TestApplication(directory: daemon.directory)
            #expect(next.counts == [1, 0], moment)
            return ""
        }
    }

    /// Somebody has signed in, and got `at-1` and `rt-1`; the provider answers at once.
    private func signedIn() throws -> TestApplication {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        return daemon
    }

    @Test("A lock that waits for an answer is done before the end")
    func lock() throws {
        let daemon = try TestApplication()
        let reply = daemon.beginSignIn()
        let lock = daemon.call("Lock")
        let ended = begunToEnd(daemon)
        #expect(!lock.isFinished && ended.value == nil)
        daemon.answerToken("at-1")
        daemon.answer(json: #"{"id":"42"}"#)
        #expect(reply.isCompleted && lock.error == nil && lock.isFinished && ended.value == true)
        let next = try TestApplication(directory: daemon.directory)
        #expect(next.counts == [1, 1])
    }
}
