import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A program that wants no reply goes when it likes: before the first step of its call, or after any other.
@Suite("A call that wants no reply", .serialized)
struct OnewayTests {
    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let parameters: JSONObject
        /// It was carried out.
        let isDone: @Sendable (TestApplication) -> Bool

        init(_ method: String, _ parameters: JSONObject = [:], isDone: @escaping @Sendable (TestApplication) -> Bool) {
            testDescription = method
            self.parameters = parameters
            self.isDone = isDone
        }
    }

    @Sendable private static func user(_ daemon: TestApplication) -> JSONObject? { daemon.call("GetCurrentUser")["user"]?.objectValue }

    static let calls: [Call] = [
        Call("SignInAnonymously", ["app": "other"]) { $0.counts[0] == 2 },
        Call("CreateUser", ["email": "ada@example.com", "password": "correct horse", "app": "other"]) { $0.counts[0] == 2 },
        Call("UpdateUser", ["displayName": "Countess"]) { user($0)?["displayName"] == "Countess" },
        Call("SignOut") { user($0) == nil },
        Call("DeleteUser") { $0.counts == [0, 0] && $0.revoked == ["rt-1", "at-1"] },
        Call("RevokeCredential", ["providerID": "work"]) { $0.counts == [1, 0] && $0.revoked == ["rt-1", "at-1"] },
        Call("GetAccessToken", ["providerID": "work", "forceRefresh": true]) { $0.tokenRequests == ["rt-1"] },
        Call("Lock") { $0.call("GetStatus")["locked"] == true },
        Call("Reload") { daemon in daemon.log.entries.contains { $0.kind == .configurationReloaded } },
    ]

    /// Somebody has signed in, and got `at-1` and `rt-1`; the provider answers at once.
    private func signedIn() throws -> TestApplication {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        return daemon
    }

    @Test("is carried out, whenever its program goes", arguments: calls)
    func carriedOut(_ call: Call) throws {
        var reply: RecordedReply?
        try everyInterleaving {
            try signedIn()
        } first: { daemon in
            reply = daemon.call(call.testDescription, call.parameters, oneway: true, settling: false)
        } second: { daemon in
            if let reply { daemon.leave(reply) }
        } check: { daemon, _, _, moment in
            #expect(call.isDone(daemon), moment)
            #expect(!daemon.log.entries.contains { $0.level == .error }, moment)
            return ""
        }
    }

    @Test("A sign-in is cancelled, whenever the program goes that wanted no reply")
    func cancel() throws {
        var reply: RecordedReply?
        try everyInterleaving {
            try PendingSignIn(try signedIn())
        } first: { scene in
            reply = scene.daemon.call("CancelSession", ["sessionID": .string(scene.id)], oneway: true, settling: false)
        } second: { scene in
            if let reply { scene.daemon.leave(reply) }
        } check: { scene, _, _, moment in
            #expect(scene.reply.errorName == "SignInCancelled" && scene.reply.lastWords == 1, moment)
            return ""
        }
    }

    @Test("A redirect is accepted, whenever the program that delivered it disconnects")
    func redirect() throws {
        var reply: RecordedReply?
        try everyInterleaving {
            try PendingSignIn(try signedIn())
        } first: { scene in
            let url = "http://127.0.0.1:7678/__/auth/handler?state=\(scene.state)&code=second"
            reply = scene.daemon.call("DeliverRedirect", ["url": .string(url)], oneway: true, settling: false)
        } second: { scene in
            if let reply { scene.daemon.leave(reply) }
        } check: { scene, _, _, moment in
            #expect(scene.reply.isCompleted && scene.daemon.redeemedCodes == ["abc", "second"], moment)
            return ""
        }
    }

    @Test("A sign-in that was asked for without a reply is not delivered to that program: another one fetches the result")
    func signIn() throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        let scene = try PendingSignIn(daemon, ["intent": "credential"])
        // The same question joins it.
        daemon.call("SignIn", ["providerID": "work", "intent": "credential", "presentation": "daemon"], oneway: true)
        daemon.leave(scene.reply)
        daemon.browserReturns("state=\(scene.state)&code=abc")
        let attached = scene.call("AttachSession")
        #expect(attached.isCompleted && attached.event?["credential"]?.objectValue?["handle"] != nil)
    }
}
