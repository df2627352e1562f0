import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Tokens of other programs", .serialized)
struct CredentialImportTests {
    private static let configuration =
        TestApplication.example + """

            [account.ada]
            provider = "work"
            login = "ada@example.com"
            [account.any]
            provider = "work"
            """
    private static let ada = #"{"id":"42","name":"Ada","email":"ada@example.com"}"#

    private let daemon: TestApplication

    init() throws { daemon = try TestApplication(Self.configuration) }

    @discardableResult
    private func take(_ refreshToken: String, as name: String = "ada", _ further: JSONObject = [:]) -> RecordedReply {
        var parameters: JSONObject = ["providerID": .string(name), "refreshToken": .string(refreshToken)]
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call("ImportCredential", parameters)
    }

    /// The refresh is answered, and the account is Ada's.
    private func identify(_ accessToken: String, refreshToken: String? = nil) {
        daemon.answerToken(accessToken, refreshToken: refreshToken)
        daemon.answer(json: Self.ada)
    }

    private func token(_ name: String) -> JSON? { daemon.call("GetAccessToken", ["providerID": .string(name)])["accessToken"] }

    @Test("One becomes a credential once a refresh proved it and the provider said whose it is")
    func taken() throws {
        let monitor = daemon.call("Monitor", more: true)
        let reply = take("rt-old", ["scopes": ["mail"]])
        #expect(daemon.counts == [0, 0] && !reply.isFinished)
        daemon.answerToken("at-1", refreshToken: "rt-1")
        #expect(!reply.isFinished, "whose it is is not known yet")
        daemon.answer(json: Self.ada)
        #expect(reply.error == nil, "\(reply.message)")
        let credential = reply["credential"]?.objectValue
        #expect(credential?["uid"] == "42" && credential?["account"] == "ada" && credential?["refreshable"] == true)
        #expect(credential?["scopes"] == ["mail"])
        #expect(token("ada") == "at-1")
        #expect(daemon.tokenRequests == ["rt-old"])
        #expect(monitor.replies.contains { $0["kind"] == "credentialImported" })
        let restarted = try daemon.restarted(configuration: Self.configuration)
        #expect(restarted.call("GetAccessToken", ["providerID": "ada"])["accessToken"] == "at-1")
        restarted.renewNamed("at-2")
        #expect(restarted.tokenRequests == ["rt-1"])
    }

    @Test("An access token becomes a credential once the provider said whose it is, and nothing is exchanged")
    func accessToken() throws {
        let parameters: JSONObject = ["providerID": "ada", "accessToken": "at-other", "scopes": ["mail"]]
        let reply = daemon.call("ImportCredential", parameters)
        #expect(daemon.counts == [0, 0] && !reply.isFinished)
        daemon.answer(json: Self.ada)
        #expect(reply.error == nil, "\(reply.message)")
        let credential = reply["credential"]?.objectValue
        #expect(credential?["uid"] == "42" && credential?["account"] == "ada" && credential?["refreshable"] == false)
        #expect(credential?["keptBy"] == [""] && credential?["state"] == "good")
        let scopes = credential?["scopes"]
        #expect(scopes == nil || scopes == [], "the caller's word is no grant")
        #expect(daemon.tokenRequests.isEmpty && token("ada") == "at-other" && daemon.counts == [0, 1])
        #expect(daemon.call("ImportCredential", parameters).errorName == "CredentialExists")
        let restarted = try daemon.restarted(configuration: Self.configuration)
        #expect(restarted.call("GetAccessToken", ["providerID": "ada"])["accessToken"] == "at-other")
    }

    @Test("An access token alone does not replace a credential that has a refresh token, not even to replace")
    func accessTokenForRenewable() {
        daemon.signIn(accessToken: "at-0", refreshToken: "rt-0")
        let parameters: JSONObject = ["providerID": "work", "accessToken": "at-other", "scopes": ["mail"], "replace": true]
        let reply = daemon.call("ImportCredential", parameters)
        daemon.answer(json: Self.ada)
        #expect(reply.errorName == "CredentialExists" && reply.message.contains("already kept, with a refresh token"), "\(reply.message)")
        #expect(token("work") == "at-0")
        #expect(daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["refreshable"] == true)
    }

    @Test("An access token that the provider refuses, or that is another account's, is not kept")
    func accessTokenRefused() {
        let refused = daemon.call("ImportCredential", ["providerID": "ada", "accessToken": "at-bad"])
        daemon.answer(status: 401, json: "{}")
        #expect(refused.errorName == "InvalidCredential" && refused.message.contains("does not accept this access token"), "\(refused.message)")
        // It is not asked about again so soon.
        #expect(daemon.call("ImportCredential", ["providerID": "ada", "accessToken": "at-bad"]).errorName == "InvalidCredential")
        let other = daemon.call("ImportCredential", ["providerID": "ada", "accessToken": "at-grace"])
        daemon.answer(json: #"{"id":"43","name":"Grace","email":"grace@example.org"}"#)
        #expect(other.errorName == "UserMismatch" && other.message.contains("the token belongs to grace@example.org"), "\(other.message)")
        #expect(daemon.counts == [0, 0] && daemon.tokenRequests.isEmpty)
    }

    @Test("It is not a sign-in: no user, no session, no proof of presence")
    func noSignIn() {
        let reply = take("rt-old")
        identify("at-1")
        #expect(reply.error == nil && daemon.counts == [0, 1])
        #expect(daemon.call("GetCurrentUser")["user"] == nil)
        #expect(daemon.call("DeleteUser").errorName == "NoCurrentUser")
        #expect(daemon.call("UpdateUser", ["displayName": "Eve"]).errorName == "NoCurrentUser")
        #expect(daemon.sessionStates.isEmpty)
    }

    @Test("A user's recent sign-in is not made more recent by one")
    func notRecent() {
        daemon.signIn(accessToken: "at-0", refreshToken: "rt-0")
        daemon.pass(seconds: 301)
        let reply = take("rt-old", as: "work", ["replace": true])
        identify("at-1")
        #expect(reply.error == nil, "\(reply.message)")
        #expect(daemon.call("UpdateUser", ["email": "eve@example.com"]).errorName == "RequiresRecentSignIn")
        #expect(daemon.call("DeleteUser").errorName == "RequiresRecentSignIn")
    }

    @Test("A refused one leaves nothing behind")
    func refused() {
        let reply = take("rt-old")
        daemon.answer(status: 400, json: #"{"error":"invalid_grant","error_description":"no such token"}"#)
        #expect(reply.errorName == "InvalidCredential" && reply.message.contains("no such token"), "\(reply.message)")
        #expect(daemon.counts == [0, 0] && daemon.revoked.isEmpty)
        #expect(token("ada") == nil)
    }

    @Test("Another account's is not kept, and another name may have it, with the refresh token that took its place")
    func otherAccount() throws {
        let reply = take("rt-old")
        daemon.answerToken("at-1", refreshToken: "rt-1")
        daemon.answer(json: #"{"id":"7","name":"Eve","email":"eve@example.com"}"#)
        #expect(reply.errorName == "UserMismatch" && reply.message.contains("eve@example.com"), "\(reply.message)")
        #expect(daemon.counts == [0, 0])
        let restarted = try daemon.restarted(configuration: Self.configuration)
        let again = restarted.call("ImportCredential", ["providerID": "any", "refreshToken": "rt-old"])
        #expect(restarted.tokenRequests == ["rt-1"], "the old one is dead")
        restarted.answerToken("at-2", refreshToken: "rt-2")
        restarted.answer(json: #"{"id":"7","name":"Eve","email":"eve@example.com"}"#)
        #expect(again.error == nil, "\(again.message)")
        #expect(restarted.call("GetAccessToken", ["providerID": "any"])["accessToken"] == "at-2")
    }

    @Test("A provider that says whose it is only later has lost nobody a rotated refresh token", arguments: [0, 100_000])
    func identityLater(seconds: Int64) throws {
        let reply = take("rt-old")
        daemon.answerToken("at-1", refreshToken: "rt-1")
        daemon.fail(mayHaveReachedServer: true)
        #expect(reply.errorName == "ProviderUnreachable" && reply.message.contains("import the same one again"), "\(reply.message)")
        let restarted = try daemon.restarted(configuration: Self.configuration, after: seconds)
        restarted.call("ImportCredential", ["providerID": "ada", "refreshToken": "rt-old"])
        #expect(restarted.tokenRequests == [seconds == 0 ? "rt-1" : "rt-old"], "it waits for a day")
    }

    @Test("The same one is not sent twice, not even to replace")
    func twice() throws {
        let (first, second) = (take("rt-old"), take("rt-old"))
        identify("at-1", refreshToken: "rt-1")
        #expect(first.error == nil && second.errorName == "CredentialExists", "\(second.message)")
        #expect(take("rt-old", ["replace": true]).errorName == "CredentialExists")
        #expect(take("rt-1", as: "any").errorName == "CredentialExists", "it is the credential's own")
        let restarted = try daemon.restarted(configuration: Self.configuration)
        let late = restarted.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old", "replace": true])
        #expect(late.errorName == "CredentialExists" && restarted.tokenRequests.isEmpty)
    }

    @Test("A credential that is kept stays, unless it is to be replaced")
    func kept() {
        daemon.signIn(accessToken: "at-0", refreshToken: "rt-0")
        let unknown = take("rt-old", as: "work")
        identify("at-1")
        #expect(unknown.errorName == "CredentialExists" && token("work") == "at-0")
        let replacing = take("rt-old", as: "work", ["replace": true])
        identify("at-2")
        #expect(replacing.error == nil && token("work") == "at-2", "\(replacing.message)")
        let known = take("rt-other")
        #expect(known.errorName == "CredentialExists" && known.message.contains("ada@example.com"))
        #expect(daemon.tokenRequests == ["rt-old", "rt-old"], "it is known before anything is sent")
    }

    @Test("An impossible import is refused before anything is sent")
    func impossible() throws {
        for (parameters, error): (JSONObject, String) in [
            (["providerID": "nobody", "refreshToken": "rt"], "ProviderNotFound"), (["providerID": "google.com", "refreshToken": "rt"], "ProviderNotConfigured"),
            (["providerID": "ada", "refreshToken": ""], "InvalidParameter"), (["providerID": "ada", "refreshToken": "a\nb"], "InvalidParameter"),
            (["providerID": "ada", "refreshToken": "rt", "scopes": ["a b"]], "InvalidParameter"),
            (["providerID": "ada"], "InvalidParameter"), (["providerID": "ada", "accessToken": "a\u{7F}"], "InvalidParameter"),
            (["providerID": "ada", "refreshToken": "rt", "accessToken": "at"], "InvalidParameter"),
        ] {
            #expect(daemon.call("ImportCredential", parameters).errorName == error, "\(parameters)")
        }
        daemon.call("Lock")
        #expect(take("rt-old").errorName == "StoreLocked")
        #expect(daemon.tokenRequests.isEmpty)
    }

    @Test("A provider that is down refuses nothing, and an answer that got lost is said to be")
    func offline() {
        let unreachable = take("rt-old")
        daemon.fail(mayHaveReachedServer: false)
        #expect(unreachable.errorName == "ProviderUnreachable" && !unreachable.message.contains("it is unknown"))
        let lost = take("rt-old")
        daemon.fail(mayHaveReachedServer: true)
        #expect(lost.errorName == "ProviderUnreachable" && lost.message.contains("it is unknown whether the refresh token is used up"))
        for name in ["rt-busy", "rt-busy"] {
            let busy = take(name)
            daemon.answer(status: 503)
            #expect(busy.errorName == "ProviderUnreachable", "\(busy.message)")
        }
        #expect(daemon.tokenRequests.count == 4)
    }

    @Test("One whose answer was lost is not sent again unless that is asked for, over restarts too; a day later nobody knows of it")
    func lostAnswer() throws {
        take("rt-old")
        daemon.fail(mayHaveReachedServer: true)
        take("rt-garbled")
        daemon.answer(json: "{")
        for token in ["rt-old", "rt-garbled"] {
            let again = take(token)
            #expect(again.errorName == "SignInRequired" && again.message.contains("may be used up"), "\(again.message)")
        }
        #expect(daemon.tokenRequests == ["rt-old", "rt-garbled"])
        let restarted = try daemon.restarted(configuration: Self.configuration)
        func again(_ further: JSONObject = [:]) -> RecordedReply {
            var parameters: JSONObject = ["providerID": "ada", "refreshToken": "rt-old"]
            for member in further.members { parameters[member.key] = member.value }
            return restarted.call("ImportCredential", parameters)
        }
        #expect(again().errorName == "SignInRequired" && restarted.tokenRequests.isEmpty)
        let unreached = again(["replace": true])
        restarted.fail(mayHaveReachedServer: false)
        #expect(unreached.errorName == "ProviderUnreachable")
        #expect(again().errorName == "SignInRequired", "the first answer is lost all the same")
        let insisted = again(["replace": true])
        restarted.answerToken("at-1", refreshToken: "rt-1")
        restarted.answer(json: Self.ada)
        #expect(insisted.error == nil && restarted.tokenRequests == ["rt-old", "rt-old"], "\(insisted.message)")
        let later = try restarted.restarted(configuration: Self.configuration, after: 100_000)
        later.call("ImportCredential", ["providerID": "any", "refreshToken": "rt-garbled"])
        #expect(later.tokenRequests == ["rt-garbled"])
    }

    @Test("It is on disk before it is sent: a daemon that is killed while it waits sends it no second time")
    func killed() throws {
        take("rt-old")
        #expect(daemon.tokenRequests == ["rt-old"])
        let restarted = try daemon.restarted(configuration: Self.configuration)
        let again = restarted.call("ImportCredential", ["providerID": "ada", "refreshToken": "rt-old"])
        #expect(again.errorName == "SignInRequired" && restarted.tokenRequests.isEmpty)
    }

    @Test("Its replacement is not sent twice either if the answer was lost")
    func lostSuccessor() throws {
        take("rt-old")
        daemon.answerToken("at-1", refreshToken: "rt-1")
        daemon.fail(mayHaveReachedServer: true)
        take("rt-old")
        daemon.fail(mayHaveReachedServer: true)
        #expect(take("rt-old").errorName == "SignInRequired")
        #expect(daemon.tokenRequests == ["rt-old", "rt-1"])
        let insisted = take("rt-old", ["replace": true])
        identify("at-2")
        #expect(insisted.error == nil && daemon.tokenRequests == ["rt-old", "rt-1", "rt-1"], "\(insisted.message)")
    }

    @Test("It is not sent once the store is being locked, or the daemon ends, not even where others are before it", arguments: ["Lock", "end"])
    func atTheEnd(how: String) throws {
        let daemon = try TestApplication(OpenIDProvider.configuration)
        let first = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        let second = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-other"])
        #expect(daemon.isAsked && daemon.tokenRequests.isEmpty)
        if how == "Lock" { daemon.call("Lock") } else { daemon.executor.isolated { daemon.application.takeNothingNew() } }
        daemon.answer(json: JSON.object(OpenIDProvider.metadata).text)
        let name = how == "Lock" ? "StoreLocked" : "InternalError"
        #expect(first.errorName == name && second.errorName == name, "\(first.message), \(second.message)")
        #expect(daemon.tokenRequests.isEmpty && !daemon.isAsked)
        let restarted = try daemon.restarted(configuration: OpenIDProvider.configuration)
        let again = restarted.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        #expect(!again.isFinished, "nobody has sent it: \(again.message)")
    }

    @Test("One that is answered after a lock has given up is told as locked, whatever is wrong with the answer")
    func unknownAfterLock() {
        let reply = take("rt-old")
        daemon.call("Lock")
        daemon.pass(seconds: 36)
        daemon.answerToken("at-1")
        daemon.answer(status: 403, json: "{}")
        #expect(reply.errorName == "StoreLocked", "\(reply.message)")
    }

    @Test("What took its place after a lock has given up is lost, and nothing of it stays in memory")
    func afterLock() {
        let reply = take("rt-old")
        #expect(!daemon.call("Lock").isFinished)
        daemon.pass(seconds: 36)
        #expect(daemon.call("GetStatus")["locked"] == true)
        identify("at-1", refreshToken: "rt-1")
        #expect(reply.errorName == "StoreLocked" && !reply.message.contains("another refresh token"), "\(reply.message)")
        #expect(daemon.log.entries.contains { $0.message.contains("could not be saved and is lost") })
        daemon.call("Unlock")
        // It was sent, as far as the store knows, and nobody knows what became of it.
        #expect(take("rt-old").isFinished && !daemon.isAsked && daemon.tokenRequests == ["rt-old"])
    }

    @Test("An account without a login stays whose it is, even where its credential is to be replaced")
    func nameOfAnother() {
        let first = take("rt-ada", as: "any")
        identify("at-1")
        #expect(first.error == nil && token("any") == "at-1", "\(first.message)")
        let planted = take("rt-eve", as: "any", ["replace": true])
        daemon.answerToken("at-7", refreshToken: "rt-7")
        daemon.answer(json: #"{"id":"7","name":"Eve","email":"eve@example.com"}"#)
        #expect(planted.errorName == "CredentialExists" && planted.message.contains("ada@example.com"), "\(planted.message)")
        #expect(daemon.counts == [0, 1] && token("any") == "at-1")
        let own = take("rt-ada-2", as: "any", ["replace": true])
        identify("at-2")
        #expect(own.error == nil && token("any") == "at-2", "\(own.message)")
        let nameless = take("rt-ada-3", as: "work", ["replace": true])
        identify("at-3")
        #expect(nameless.error == nil && token("any") == "at-3", "it keeps its name")
        let elsewhere = take("rt-eve", as: "work")
        #expect(daemon.tokenRequests.last == "rt-7", "what took its place waited")
        daemon.answerToken("at-8")
        daemon.answer(json: #"{"id":"7","name":"Eve","email":"eve@example.com"}"#)
        #expect(elsewhere.error == nil && token("any") == "at-3", "\(elsewhere.message)")
    }

    @Test("A program cannot have a provider asked over and over: five that come to nothing, then one in ten seconds")
    func limited() {
        for number in 0..<20 {
            let reply = take("junk-\(number)")
            daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
            #expect(reply.errorName == (number < 5 ? "InvalidCredential" : "TooManyAttempts"), "\(reply.message)")
        }
        #expect(daemon.tokenRequests.count == 5)
        daemon.pass(seconds: 10)
        let again = take("junk-0")
        #expect(again.errorName == "InvalidCredential" && again.message.contains("not sent again"), "\(again.message)")
        for name in ["junk-20", "junk-21"] {
            take(name)
            daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        }
        #expect(daemon.tokenRequests.count == 6 && daemon.tokenRequests.last == "junk-20")
    }

    @Test("Many that become credentials are taken one after the other")
    func many() {
        for number in 0..<12 {
            let reply = take("rt-\(number)", as: "work")
            daemon.answerToken("at-\(number)")
            daemon.answer(json: #"{"id":"\#(number)","name":"Ada"}"#)
            #expect(reply.error == nil, "\(reply.message)")
        }
        #expect(daemon.counts == [0, 12])
    }

    @Test("The refresh token of a program that disconnects is imported anyway")
    func leaving() {
        let reply = take("rt-old")
        daemon.leave(reply)
        identify("at-1", refreshToken: "rt-1")
        #expect(token("ada") == "at-1")
    }

    @Test("Only a limited number wait at a time")
    func bounded() {
        let replies = (0..<20).map { take("rt-\($0)", as: "any") }
        #expect(replies.count { $0.errorName == "TooManyAttempts" } == 4)
        #expect(daemon.tokenRequests == ["rt-0"])
    }

    @Test("Where tokens are bound to a key it proves one of its own, with the refresh token that takes its place too")
    func bound() throws {
        let daemon = try TestApplication(TestApplication.example + "\ndpop = true\n")
        let reply = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        daemon.answer(json: #"{"access_token":"at-1","token_type":"DPoP","refresh_token":"rt-1"}"#)
        daemon.fail(mayHaveReachedServer: false)
        #expect(reply.errorName == "ProviderUnreachable", "\(reply.message)")
        let again = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        daemon.answer(json: #"{"access_token":"at-2","token_type":"DPoP"}"#)
        daemon.answer(json: Self.ada)
        #expect(again.error == nil && daemon.tokenRequests == ["rt-old", "rt-1"], "\(again.message)")
        let keys = daemon.executor.isolated {
            daemon.provider.sent.filter { $0.url.hasSuffix("/token") }.map { $0.proof?["jwk"] }
        }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1], "the refresh token may be bound to it")
        let unbound = try TestApplication(TestApplication.example + "\ndpop = true\n")
        let refused = unbound.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        unbound.answerToken("at-1")
        #expect(refused.errorName == "ExchangeFailed" && unbound.counts == [0, 0], "\(refused.message)")
    }

    @Test("Where a Firebase project has the accounts, it is asked nothing")
    func firebase() throws {
        let daemon = try TestApplication(TestApplication.example + "\n[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n")
        let reply = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        daemon.answerToken("at-1")
        daemon.answer(json: Self.ada)
        #expect(reply.error == nil && !daemon.isAsked, "\(reply.message)")
        #expect(daemon.executor.isolated { daemon.provider.sent.allSatisfy { $0.host == "work.example" } })
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1")
        #expect(daemon.call("GetCurrentUser")["user"] == nil)
    }

    @Test("An ID token says whose it is, whatever nonce it repeats; one of another client says nothing")
    func idToken() throws {
        let provider = try OpenIDProvider()
        let daemon = try TestApplication(OpenIDProvider.configuration)
        provider.answersDocuments(of: daemon)
        let refused = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-a"])
        daemon.answer(json: try OpenIDProvider().tokens("at-0", refreshToken: nil, subject: "7"))
        #expect(refused.errorName == "InvalidIDToken" && daemon.counts == [0, 0], "\(refused.message)")
        let reply = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-b"])
        daemon.answer(json: try provider.tokens("at-1", refreshToken: "rt-1", subject: "7", nonce: "of another program"))
        #expect(reply.error == nil && reply["credential"]?.objectValue?["uid"] == "7", "\(reply.message)")
        let nobody = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-c", "replace": true])
        daemon.answerToken("at-2")
        #expect(nobody.errorName == "SignInRequired" && nobody.message.contains("does not say whose it is"), "\(nobody.message)")
    }
}

extension ProviderRequest {
    /// The header of its DPoP proof.
    fileprivate var proof: JSONObject? {
        let proof = headers.first { $0.name == "DPoP" }?.value
        return proof.flatMap { Base64URL.decode(String($0.prefix { $0 != "." })) }.flatMap { (try? JSON(parsing: $0))?.objectValue }
    }
}

extension TestApplication {
    /// As `renew(_:)`, of the account `ada`.
    fileprivate func renewNamed(_ accessToken: String) {
        let reply = call("GetAccessToken", ["providerID": "ada", "forceRefresh": true])
        answerToken(accessToken)
        #expect(reply["accessToken"] == .string(accessToken))
    }
}
