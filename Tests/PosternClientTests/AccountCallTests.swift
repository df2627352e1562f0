import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon

@Suite("The client and accounts")
struct AccountCallTests {
    private static let result = AuthResult(user: Sample.user, credential: nil, operation: .signIn)

    /// Answers each method with what it gives.
    private static func answer(_ method: String) -> TestDaemon.Answer {
        switch method {
        case "io.postern.SignIn": .replies([Sample.event(.completed)])
        case "io.postern.SignInWithCredential", "io.postern.SignInAnonymously", "io.postern.CreateUser", "io.postern.ResolveSecondFactor":
            .replies([["result": .object(result.object)]])
        case "io.postern.UpdateUser", "io.postern.UnlinkProvider", "io.postern.ConfirmSecondFactor", "io.postern.RemoveSecondFactor":
            .replies([["user": .object(Sample.user.object)]])
        case "io.postern.FetchProviders": .replies([["providerIDs": ["password"]]])
        case "io.postern.EnrollSecondFactor": .replies([["enrollmentID": "e1", "secret": "S", "provisioningURI": "otpauth://totp/x"]])
        case "io.postern.GetUserToken": .replies([["idToken": "t", "expiresAt": "2026-11-21T06:34:00Z"]])
        default: .replies([[:]])
        }
    }

    private struct Row: Sendable {
        var method: String
        var parameters: JSONObject
        var call: @Sendable (PosternClient) async throws -> Void

        init(_ method: String, _ parameters: JSONObject, _ call: @escaping @Sendable (PosternClient) async throws -> Void) {
            (self.method, self.parameters, self.call) = (method, parameters, call)
        }
    }

    private static let factor = SecondFactor(factorID: .phone, uid: "f1", enrolledAt: "2026-11-21T06:24:00Z")
    private static let challenge = SecondFactorChallenge(resolver: "r1", factors: [factor])

    private static let rows: [Row] = [
        Row("SignInAnonymously", ["app": "a"]) { _ = try await $0.signInAnonymously() },
        Row("SignInWithCredential", ["credential": ["email": "e", "password": "p"], "intent": "signIn", "app": "a"]) {
            _ = try await $0.signIn(email: "e", password: "p")
        },
        Row("SignInWithCredential", ["credential": ["handle": "h"], "intent": "signIn", "app": "a"]) {
            _ = try await $0.signIn(with: CredentialInput(handle: "h"))
        },
        Row("CreateUser", ["email": "e", "password": "p", "displayName": "n", "app": "a"]) {
            _ = try await $0.createUser(email: "e", password: "p", displayName: "n")
        },
        Row("SignInWithCredential", ["credential": ["handle": "h"], "intent": "link", "app": "a"]) {
            _ = try await $0.link(with: CredentialInput(handle: "h"))
        },
        Row("SignInWithCredential", ["credential": ["email": "e", "password": "p"], "intent": "link", "app": "a"]) {
            _ = try await $0.link(email: "e", password: "p")
        },
        Row("SignInWithCredential", ["credential": ["email": "e", "password": "p"], "intent": "reauthenticate", "app": "a"]) {
            _ = try await $0.reauthenticate(email: "e", password: "p")
        },
        Row("UnlinkProvider", ["providerID": "p", "app": "a"]) { _ = try await $0.unlink("p") },
        Row("FetchProviders", ["email": "e"]) { client in
            let providers = try await client.providers(ofEmail: "e")
            #expect(providers == ["password"])
        },
        Row("UpdateUser", ["app": "a", "photoURL": ""]) { _ = try await $0.updateUser(photoURL: "") },
        Row("DeleteUser", ["app": "a"]) { try await $0.deleteUser() },
        Row("GetUserToken", ["audience": "s", "app": "a"]) { client in
            let token = try await client.userToken(for: "s")
            #expect(token.idToken == "t")
        },
        Row("EnrollSecondFactor", ["factorID": "totp", "displayName": "n", "app": "a"]) { client in
            let enrollment = try await client.enrollTOTP(displayName: "n")
            #expect(enrollment.secret == "S")
        },
        Row("EnrollSecondFactor", ["factorID": "phone", "phoneNumber": "+39", "app": "a"]) { _ = try await $0.enrollPhone(number: "+39") },
        Row("ConfirmSecondFactor", ["enrollmentID": "e1", "verificationCode": "1", "app": "a"]) {
            _ = try await $0.confirmSecondFactor("e1", code: "1")
        },
        Row("RemoveSecondFactor", ["uid": "f1", "app": "a"]) { _ = try await $0.removeSecondFactor("f1") },
        Row("StartSecondFactor", ["resolver": "r1", "uid": "f1"]) { try await $0.sendCode(for: factor, of: challenge) },
        Row("ResolveSecondFactor", ["resolver": "r1", "uid": "f1", "verificationCode": "1"]) {
            _ = try await $0.resolve(challenge, with: factor, code: "1")
        },
    ]

    @Test("each call becomes the method with the app's name and what was said", arguments: rows.indices)
    func calls(index: Int) async throws {
        let row = Self.rows[index]
        let daemon = try TestDaemon { Self.answer($0.method) }
        try await row.call(PosternClient(app: "a", socketPath: daemon.path))
        let call = try #require(daemon.calls.first)
        #expect(call.method == "io.postern." + row.method)
        #expect(call.parameters == row.parameters)
    }

    @Test("a provider's page links and confirms as it signs in", arguments: [Intent.link, .reauthenticate])
    func pages(intent: Intent) async throws {
        let daemon = try TestDaemon { Self.answer($0.method) }
        let client = PosternClient(app: "a", socketPath: daemon.path)
        _ = intent == .link ? try await client.link(with: "demo") : try await client.reauthenticate(with: "demo")
        let call = try #require(daemon.calls.first)
        #expect(try Interface.SignIn(object: call.parameters).intent == intent)
    }

    @Test("what was refused can be gone on with by its handle, a second factor by its resolver")
    func goingOn() {
        let credential = Credential(handle: "h1", providerID: "demo", signInMethod: "demo", scopes: [])
        let exists = InterfaceError.accountExistsWithDifferentCredential(
            message: "m", email: "e", providerIDs: ["password"], credential: credential)
        #expect(PosternError.refused(exists).pendingCredential == CredentialInput(handle: "h1"))
        let inUse = InterfaceError.credentialAlreadyInUse(message: "m", email: nil, credential: credential)
        #expect(PosternError.refused(inUse).pendingCredential == CredentialInput(handle: "h1"))
        let required = InterfaceError.secondFactorRequired(message: "m", resolver: "r1", hints: [Self.factor])
        #expect(PosternError.refused(required).challenge == Self.challenge)
        let other = PosternError.refused(.userMismatch(message: "m"))
        #expect(other.pendingCredential == nil && other.challenge == nil)
    }
}
