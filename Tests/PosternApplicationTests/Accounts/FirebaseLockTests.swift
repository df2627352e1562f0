import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A Firebase project may take longer to judge a sign-in than a lock waits: what it says comes when the store is closed, or open again.
@Suite("A sign-in that a Firebase project judges while the store is locked and unlocked", .serialized)
struct FirebaseLockTests {
    private static let configuration = TestApplication.example + "\n[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n"

    /// The provider has given its tokens, the project has let the user in, and is asked who that is.
    private func judged() throws -> PendingSignIn {
        let daemon = try TestApplication(Self.configuration)
        daemon.providerAnswers()
        let scene = try PendingSignIn(daemon)
        daemon.browserReturns("state=\(scene.state)&code=abc")
        daemon.answer(json: #"{"idToken":"\#(Self.idToken)","refreshToken":"r","expiresIn":"3600","localId":"u1","isNewUser":true}"#)
        #expect(daemon.isAsked && daemon.redeemedCodes == ["abc"])
        return scene
    }

    private static let idToken: String = {
        let parts = [
            #"{"alg":"RS256","kid":"1","typ":"JWT"}"#,
            #"{"sub":"u1","aud":"demo","auth_time":1800000000,"firebase":{"sign_in_provider":"work"}}"#, "signature",
        ]
        return parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }()

    /// The same, and a lock waits for it.
    private func locking() throws -> PendingSignIn {
        let scene = try judged()
        #expect(!scene.daemon.call("Lock").isFinished)
        // Nothing new begins from the first moment.
        #expect(scene.daemon.call("SignInAnonymously", ["app": "b"]).errorName == "StoreLocked")
        return scene
    }

    /// The same, and the lock has given up.
    private func locked() throws -> PendingSignIn {
        let scene = try locking()
        scene.daemon.pass(seconds: 36)
        #expect(scene.daemon.call("GetStatus")["locked"] == true && scene.reply.errorName == "StoreLocked")
        return scene
    }

    private func projectAnswers(_ scene: PendingSignIn) {
        scene.daemon.answer(json: #"{"users":[{"localId":"u1","email":"ada@example.com"}]}"#, settling: false)
    }

    /// The sign-in is completed and kept, or failed and nothing of it is kept; and what the daemon tells is what is on disk.
    private func ending(of scene: PendingSignIn, _ moment: Comment) -> String {
        let daemon = scene.daemon
        #expect(scene.reply.lastWords == 1, moment)
        daemon.call("Unlock")
        var told: [String] = []
        for _ in 0..<2 {
            let state = daemon.sessionStates.joined()
            let (user, token) = (daemon.call("GetCurrentUser")["user"], daemon.call("GetAccessToken", ["providerID": "work"]))
            #expect(daemon.counts[1] == (state == "completed" ? 1 : 0), "\(state) \(moment)")
            #expect((user != nil) == (state == "completed") && (token.error == nil) == (state == "completed"), "\(state) \(moment)")
            told.append(state)
            daemon.call("Lock")
            daemon.call("Unlock")
        }
        #expect(told[0] == told[1], moment)
        #expect(!daemon.log.entries.contains { $0.level == .error }, moment)
        return told[0]
    }

    @Test("The answer comes while the lock gives up: the sign-in is kept whole, or nothing of it is", arguments: [true, false])
    func lock(answerFirst: Bool) throws {
        let endings = try everyInterleaving {
            try locking()
        } first: {
            if answerFirst { projectAnswers($0) } else { $0.daemon.jump(seconds: 36) }
        } second: {
            if answerFirst { $0.daemon.jump(seconds: 36) } else { projectAnswers($0) }
        } check: { scene, _, _, moment in
            ending(of: scene, moment)
        }
        #expect(Set(endings.keys) == [answerFirst ? "completed" : "failed"])
    }

    @Test("A second factor that is asked for after the lock has given up is not waited for in memory")
    func secondFactor() throws {
        let daemon = try TestApplication(Self.configuration)
        let reply = daemon.call("SignInWithCredential", ["credential": ["email": "ada@example.com", "password": "correct horse"]])
        daemon.call("Lock")
        daemon.pass(seconds: 36)
        #expect(daemon.call("GetStatus")["locked"] == true)
        daemon.answer(
            json: #"{"mfaPendingCredential":"p","mfaInfo":[{"mfaEnrollmentId":"1","totpInfo":{},"enrolledAt":"2026-01-01T00:00:00Z"}]}"#)
        #expect(reply.errorName == "StoreLocked", "\(reply.message)")
        daemon.call("Unlock")
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
    }

    @Test("The answer comes while the store is opened again: the sign-in has failed, and nothing of it is kept", arguments: [true, false])
    func unlock(unlockFirst: Bool) throws {
        try everyInterleaving {
            try locked()
        } first: {
            if unlockFirst { _ = $0.daemon.call("Unlock", settling: false) } else { projectAnswers($0) }
        } second: {
            if unlockFirst { projectAnswers($0) } else { _ = $0.daemon.call("Unlock", settling: false) }
        } check: { scene, _, _, moment in
            let state = ending(of: scene, moment)
            #expect(state == "failed", moment)
            return state
        }
    }
}
