import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A person's account, and the same account of an app's user: one grant, which either may keep.
@Suite("Which users keep a grant", .serialized)
struct KeeperTests {
    enum Keepers: String, CaseIterable, Sendable {
        case person, app, both

        var names: [String] { (self == .app ? [] : [""]) + (self == .person ? [] : ["photos"]) }
    }

    /// What a sign-in of an app, or what ends one, leaves.
    enum Rest: Sendable {
        /// The stored grant, kept by these.
        case stays([String])
        /// A new grant, kept by these.
        case replaced([String])
        case gone(revoked: Bool)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var authorities = Authority.allCases
        /// The account that it is about, as the scripted people have it, and where.
        var account = "ada"
        var providerID = "work"
        /// Before the grant is stored, or after: what it takes for the event.
        var before: (@Sendable (AccountScene) throws -> Void)?
        var event: @Sendable (AccountScene) throws -> AccountScene
        var rest: @Sendable (Keepers) -> Rest
    }

    private static func both(_ keepers: Keepers) -> [String] { keepers == .app ? ["photos"] : ["", "photos"] }

    /// Only the app's share goes.
    @Sendable private static func released(_ keepers: Keepers) -> Rest {
        switch keepers {
        case .person, .both: .stays([""])
        case .app: .gone(revoked: true)
        }
    }

    @Sendable private static func unchanged(_ keepers: Keepers) -> Rest { .stays(keepers.names) }

    static let rows: [Row] = [
        Row(
            testDescription: "an app's sign-in that grants the same",
            event: {
                #expect($0.signIn("ada", app: "photos").isCompleted)
                return $0
            }, rest: { .replaced(both($0)) }),
        Row(
            testDescription: "an app's sign-in without a refresh token",
            event: {
                $0.people.grants["refresh_token"] = .some(nil)
                #expect($0.signIn("ada", app: "photos").isCompleted)
                return $0
            }, rest: { $0 == .app ? .replaced(["photos"]) : .stays(["", "photos"]) }),
        Row(
            testDescription: "an app's sign-in with fewer scopes", before: { $0.people.grants["scope"] = "read write" },
            event: {
                $0.people.grants["scope"] = "read"
                #expect($0.signIn("ada", app: "photos").isCompleted)
                return $0
            }, rest: { $0 == .app ? .replaced(["photos"]) : .stays(["", "photos"]) }),
        Row(
            testDescription: "an app's sign-in for another audience",
            event: {
                #expect($0.signIn("ada", app: "photos", ["customParameters": ["audience": "https://other.example/"]]).isCompleted)
                return $0
            }, rest: { $0 == .app ? .replaced(["photos"]) : .stays(["", "photos"]) }),
        Row(
            testDescription: "an app's sign-in for which the page was shown otherwise",
            event: {
                #expect($0.signIn("ada", app: "photos", ["customParameters": ["prompt": "login", "ui_locales": "en"]]).isCompleted)
                return $0
            }, rest: { .replaced(both($0)) }),
        Row(
            testDescription: "another app's sign-in with more scopes",
            event: {
                $0.people.grants["scope"] = "read write"
                #expect($0.signIn("ada", app: "chess").isCompleted)
                return $0
            }, rest: { .replaced($0.names + ["chess"]) }),
        Row(
            testDescription: "the person's sign-in with fewer scopes", before: { $0.people.grants["scope"] = "read write" },
            event: {
                $0.people.grants["scope"] = "read"
                #expect($0.keep("ada").isCompleted)
                return $0
            }, rest: { .replaced(($0 == .person ? [""] : ["", "photos"])) }),
        Row(
            testDescription: "an app's sign-out",
            event: {
                $0.call("SignOut", app: "photos")
                return $0
            }, rest: unchanged),
        Row(
            testDescription: "the person's sign-out",
            event: {
                #expect($0.daemon.call("RevokeCredential", ["providerID": "work"]).error == nil)
                return $0
            }, rest: { _ in .gone(revoked: true) }),
        Row(
            testDescription: "the person's sign-out that leaves the provider alone",
            event: {
                #expect($0.daemon.call("RevokeCredential", ["providerID": "work", "keepGrant": true]).error == nil)
                return $0
            }, rest: { _ in .gone(revoked: false) }),
        Row(
            testDescription: "the deletion of the app's user",
            event: {
                $0.call("DeleteUser", app: "photos")
                return $0
            }, rest: released),
        Row(
            testDescription: "unlinking",
            event: {
                _ = $0.signIn("adas", at: "club", app: "photos", intent: "link")
                $0.call("UnlinkProvider", ["providerID": "work"], app: "photos")
                return $0
            }, rest: released),
        Row(
            testDescription: "recovery by the owner of the address", authorities: [.own], account: "squatter.ada", providerID: "home",
            event: {
                #expect($0.signIn("ada", app: "hers").isCompleted)
                return $0
            }, rest: released),
        Row(
            testDescription: "displacement of a link that nobody proved", authorities: [.own], account: "eve", providerID: "firm",
            event: {
                #expect($0.signIn("adas.ada", at: "firm", app: "hers").isCompleted)
                return $0
            }, rest: released),
        Row(
            testDescription: "a lock",
            event: {
                #expect($0.daemon.call("Lock").error == nil && $0.daemon.call("Unlock").error == nil)
                return $0
            }, rest: unchanged),
        Row(testDescription: "a restart", event: { try $0.restarted() }, rest: unchanged),
    ]

    /// The account is kept by these.
    private func scene(_ authority: Authority, _ keepers: Keepers, _ row: Row) throws -> AccountScene {
        let scene = try AccountScene(authority, more: "[provider.firm]\n" + AccountScene.provider("firm", isTrusted: true))
        try row.before?(scene)
        // The link that is displaced is one of a session that was left alone.
        let intent = row.providerID == "firm" ? "link" : "signIn"
        if intent == "link" {
            #expect(scene.signIn("ada", app: "photos").isCompleted)
            scene.daemon.pass(seconds: 301)
        }
        if keepers != .app { #expect(scene.keep(row.account, at: row.providerID).isCompleted) }
        if keepers != .person { #expect(scene.signIn(row.account, at: row.providerID, app: "photos", intent: intent).isCompleted) }
        return scene
    }

    /// Who keeps the account, and its token; nil if it is not stored.
    private func stored(_ scene: AccountScene, _ row: Row) -> (names: [String], token: String)? {
        let all = scene.daemon.call("ListCredentials")["credentials"]?.arrayValue ?? []
        let subject = row.account.subject
        let found = all.compactMap(\.objectValue).first { $0["providerID"]?.stringValue == row.providerID && $0["uid"]?.stringValue == subject }
        guard let found else { return nil }
        let token = scene.daemon.call("GetAccessToken", ["providerID": .string(row.providerID), "uid": .string(subject)])
        return ((found["keptBy"]?.arrayValue ?? []).compactMap(\.stringValue), token["accessToken"]?.stringValue ?? "none")
    }

    private func revocations(_ scene: AccountScene, _ row: Row) -> Int {
        scene.daemon.executor.isolated { [provider = scene.daemon.provider] in
            provider.sent.filter { $0.url == "https://\(row.providerID).example/revoke" }.count
        }
    }

    @Test("is changed by this as the table says", arguments: rows, Keepers.allCases)
    func table(row: Row, keepers: Keepers) throws {
        for authority in row.authorities {
            let scene = try scene(authority, keepers, row)
            let before = try #require(stored(scene, row))
            #expect(before.names == keepers.names, "\(authority)")
            let revoked = revocations(scene, row)
            let later = try row.event(scene)
            let after = stored(later, row)
            switch row.rest(keepers) {
            case .stays(let names): #expect(after?.names == names && after?.token == before.token, "\(authority): \(String(describing: after))")
            case .replaced(let names):
                #expect(after?.names == names && after?.token != before.token, "\(authority): \(String(describing: after))")
            case .gone(let isRevoked):
                #expect(after == nil, "\(authority): \(String(describing: after))")
                #expect((revocations(later, row) > revoked) == isRevoked, "\(authority)")
            }
        }
    }

    @Test("is as before or as after, wherever the power is cut", arguments: rows.filter { $0.testDescription != "a restart" }, Authority.allCases)
    func cut(row: Row, authority: Authority) throws {
        guard row.authorities.contains(authority) else { return }
        for keepers in Keepers.allCases {
            let scene = try scene(authority, keepers, row)
            let before = try #require(stored(scene, row))
            let images = try scene.images { _ = try row.event(scene) }
            let after = stored(scene, row)
            for image in images {
                let run = try scene.run(on: image)
                let found = stored(run, row)
                #expect(found?.names == before.names || found?.names == after?.names, "\(keepers): \(String(describing: found))")
                // A restart never costs the person the token, unless that is what was asked for.
                if after != nil { #expect(found?.token == before.token || found?.token == after?.token, "\(keepers)") }
            }
        }
    }

    @Test(
        "is what the project made of it as soon as the app asks the project, wherever the power was cut",
        arguments: rows.filter { ["the deletion of the app's user", "unlinking"].contains($0.testDescription) }, Keepers.allCases)
    func recovered(row: Row, keepers: Keepers) throws {
        guard keepers != .person else { return }
        let scene = try scene(.project, keepers, row)
        let project = try #require(scene.people.project)
        let before = try #require(stored(scene, row))
        // On each step's disk, and what the project has by then.
        let uid = try #require(project.uid(of: row.account.subject, at: row.providerID))
        let images = try scene.images { _ = try row.event(scene) }
        let after = stored(scene, row)
        #expect(project.uid(of: row.account.subject, at: row.providerID) == nil)
        var recovered = 0
        for image in images {
            let run = try scene.run(on: image)
            // It signed the app out, or the app learns of it by the next question.
            run.call("UpdateUser", ["displayName": "Ada"], app: "photos")
            let user = run.user(app: "photos")
            guard user == nil || user?["providerData"]?.arrayValue?.contains(where: { $0.objectValue?["providerID"]?.stringValue == row.providerID }) == false
            else { continue }
            recovered += 1
            let found = stored(run, row)
            #expect(found?.names == after?.names, "\(keepers): \(String(describing: found)), before \(before.names), \(uid)")
        }
        #expect(recovered == images.count)
    }

    @Test("stays with another app's user who has the account now, when the project says that the first one is gone", arguments: [false, true])
    func anotherUsers(isBack: Bool) throws {
        let scene = try AccountScene(.project)
        let (project, row) = (try #require(scene.people.project), Self.rows[0])
        #expect(scene.signIn("ada", app: "photos").isCompleted)
        // In the project's console.
        let first = try #require(project.uid(of: "ada", at: "work"))
        project.members[first] = nil
        #expect(scene.signIn("ada", app: "chess").isCompleted)
        #expect(scene.uid(app: "chess")?.stringValue != first)
        if isBack { scene.call("SignOut", app: "chess") }
        let before = try #require(stored(scene, row))
        #expect(before.names == ["photos", "chess"])
        #expect(scene.call("UpdateUser", ["displayName": "Ada"], app: "photos").error != nil && scene.user(app: "photos") == nil)
        let after = stored(scene, row)
        #expect(after?.names == ["chess"] && after?.token == before.token && revocations(scene, row) == 0, "\(String(describing: after))")
        if isBack { #expect(scene.signIn("ada", app: "chess").isCompleted) }
        // The last app that keeps it ends it.
        project.members[try #require(project.uid(of: "ada", at: "work"))] = nil
        let revoked = revocations(scene, row)
        #expect(scene.call("UpdateUser", ["displayName": "Ada"], app: "chess").error != nil)
        #expect(stored(scene, row) == nil && revocations(scene, row) > revoked)
    }

    @Test("stays if another app's user has the account, though that app did not bring the credential")
    func linkedElsewhere() throws {
        let scene = try AccountScene(.project)
        let (project, row) = (try #require(scene.people.project), Self.rows[0])
        #expect(scene.signIn("ada", app: "photos").isCompleted)
        project.members[try #require(project.uid(of: "ada", at: "work"))] = nil
        #expect(scene.signIn("adas", at: "club", app: "chess").isCompleted)
        let second = try #require(project.uid(of: "adas", at: "club"))
        // By another device.
        project.members[second]?.accounts.append((providerID: "work", subject: "ada", email: "ada@example.com"))
        #expect(scene.call("UpdateUser", ["displayName": "Ada"], app: "chess").error == nil)
        #expect(scene.accounts(app: "chess").contains("work/ada"))
        #expect(scene.call("UpdateUser", ["displayName": "Ada"], app: "photos").error != nil)
        #expect(stored(scene, row)?.names == ["photos"] && revocations(scene, row) == 0)
    }

    @Test("ends if the project has another account of the same provider in its place")
    func replaced() throws {
        let scene = try AccountScene(.project)
        let (project, row) = (try #require(scene.people.project), Self.rows[0])
        #expect(scene.signIn("ada", app: "photos").isCompleted)
        #expect(scene.signIn("adas", at: "club", app: "photos", intent: "link").isCompleted)
        let uid = try #require(project.uid(of: "ada", at: "work"))
        project.members[uid]?.accounts.removeAll { $0.providerID == "work" }
        project.members[uid]?.accounts.append((providerID: "work", subject: "eve", email: "eve@example.com"))
        #expect(scene.call("UnlinkProvider", ["providerID": "club"], app: "photos").error == nil)
        #expect(scene.accounts(app: "photos") == ["work/eve"])
        #expect(stored(scene, row) == nil && revocations(scene, row) > 0)
    }

    @Test("Sign-out names the apps whose users had the account")
    func names() throws {
        for keepers in Keepers.allCases {
            let scene = try scene(.own, keepers, Self.rows[0])
            let reply = scene.daemon.call("RevokeCredential", ["providerID": "work"])
            #expect(reply["apps"]?.arrayValue == (keepers == .person ? [] : ["photos"]))
            #expect((scene.user(app: "photos") != nil) == (keepers != .person), "the app's user stays signed in")
        }
    }

    @Test("Monitor says which tokens stayed", arguments: rows.filter { if case .stays([""]) = $0.rest(.both) { true } else { false } })
    func told(row: Row) throws {
        let scene = try scene(.own, .both, row)
        let monitor = scene.daemon.call("Monitor", more: true)
        _ = try row.event(scene)
        let kept = monitor.replies.filter { $0["kind"] == "credentialKept" }
        #expect(kept.count == 1 && kept.first?["message"]?.stringValue?.contains(row.account.address) == true)
    }
}

@Suite("The intent keep", .serialized)
struct KeepTests {
    @Test("stores the account, and concerns no user of any app", arguments: Authority.allCases)
    func keep(authority: Authority) throws {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada").isCompleted)
        let (uid, asked) = (scene.uid(), scene.projectRequests)
        // The same address, which the rules about users refuse to an app.
        #expect(scene.signIn("adas.ada", at: "home", app: "photos").errorName != nil)
        let requests = scene.projectRequests
        let kept = scene.keep("adas.ada", at: "home")
        let event = try #require(kept.event)
        #expect(kept.isCompleted && event["credential"] == nil && event["result"] == nil)
        #expect(event["account"]?.objectValue?["email"] == "ada@example.com")
        #expect(event["account"]?.objectValue?["keptBy"]?.arrayValue == [""])
        #expect(scene.uid() == uid && scene.accounts() == ["work/ada"])
        #expect(scene.projectRequests == requests && requests >= asked)
        #expect(scene.daemon.call("GetAccessToken", ["providerID": "home"])["accessToken"] != nil)
    }

    @Test("gives the account that names and URLs mean, whatever apps keep beside it")
    func meant() throws {
        let more = "[account.acme]\nprovider = \"home\"\n"
        let scene = try AccountScene(.own, more: more)
        func token(_ name: String) -> String? {
            scene.daemon.call("GetAccessToken", ["providerID": .string(name)])["accessToken"]?.stringValue?.person
        }
        #expect(scene.signIn("bob", app: "photos").isCompleted && token("work") == "bob", "there is no other")
        #expect(scene.keep("ada").isCompleted && token("work") == "ada")
        #expect(scene.signIn("eve", app: "chess").isCompleted && token("work") == "ada")
        #expect(scene.keep("ada", at: "acme").isCompleted && token("acme") == "ada")
        scene.daemon.pass(seconds: 60)
        #expect(scene.signIn("mal", at: "acme", app: "darts").isCompleted && token("acme") == "ada" && token("home") == "ada")
        #expect(scene.keep("carol").isCompleted)
        #expect(scene.daemon.call("GetAccessToken", ["providerID": "work"]).offered("uids")?.arrayValue == ["ada", "carol"])
    }

    @Test("is refused with an app, and by SignInWithCredential")
    func refused() throws {
        let scene = try AccountScene(.own)
        let withApp = scene.askToKeep("work", ["app": "default"])
        #expect(withApp.errorName == "InvalidParameter" && withApp.offered("parameter") == "app")
        let presented = scene.use(["providerID": "work", "accessToken": "at-ada-1"], intent: "keep")
        #expect(presented.errorName == "InvalidParameter" && presented.offered("parameter") == "intent")
        #expect(scene.daemon.call("ListCredentials")["credentials"]?.arrayValue == [])
    }

    @Test("asks for the scopes that the account has, too, so that none is lost; not of another account, and not for an app")
    func scopes() throws {
        var scene = try AccountScene(.own, more: "[account.acme]\nprovider = \"home\"\n")
        scene.people.grants["scope"] = "read write"
        #expect(scene.keep("ada").isCompleted && scene.keep("ada", at: "acme").isCompleted)
        func asked(_ further: JSONObject, at providerID: String = "work", intent: String = "keep") throws -> Set<String> {
            let reply = intent == "keep" ? scene.askToKeep(providerID, further) : scene.ask(providerID, intent: intent, further)
            let event = try #require(reply.event)
            _ = scene.daemon.call("CancelSession", ["sessionID": event["sessionID"] ?? ""])
            let page = try #require(event["authorizationURL"]?.stringValue)
            return Set(page.query("scope")?.replacing("%20", with: " ").replacing("+", with: " ").split(separator: " ").map(String.init) ?? [])
        }
        let admin: JSONObject = ["scopes": ["admin", "read"]]
        for _ in 0..<2 {
            #expect(try asked(admin) == ["admin", "read", "write"])
            #expect(try asked([:]) == ["read", "write"])
            #expect(try asked(["scopes": ["admin"], "loginHint": "ada"]) == ["admin", "read", "write"])
            #expect(try asked(admin, at: "acme") == ["admin", "read", "write"])
            #expect(try asked(["scopes": ["admin"], "loginHint": "eve"]) == ["admin"])
            #expect(try asked(["scopes": ["admin"], "customParameters": ["prompt": "select_account"]]) == ["admin"])
            #expect(try asked(["scopes": ["admin"]], intent: "signIn") == ["admin"])
            scene = try scene.restarted()
        }
        #expect(scene.keep("eve").isCompleted)
        #expect(try asked(["scopes": ["admin"]]) == ["admin"], "nothing says which of the two it is for")
    }

    @Test("refuses an account other than the requested one")
    func another() throws {
        let scene = try AccountScene(.own)
        scene.people.verified = true
        #expect(scene.keep("eve", at: "work", ["loginHint": "ada@example.com"]).errorName == "UserMismatch")
        #expect(scene.daemon.call("ListCredentials")["credentials"]?.arrayValue == [])
    }

    @Test("joins only others of its kind")
    func joins() throws {
        let scene = try AccountScene(.own)
        let app = scene.ask("work")
        let (first, second) = (scene.askToKeep(), scene.askToKeep())
        #expect(first.pageState != nil && first.pageState == second.pageState && first.pageState != app.pageState)
        if let state = first.pageState { scene.daemon.browserReturns("state=\(state)&code=ada") }
        #expect(first.isCompleted && second.isCompleted && !app.isFinished)
        #expect(scene.uid() == nil)
    }

    @Test("whose program has gone gives the account to the one that attaches, once")
    func attached() throws {
        var scene = try AccountScene(.own)
        let asked = scene.askToKeep()
        let (id, state) = (try #require(asked.event?["sessionID"]), try #require(asked.pageState))
        scene.daemon.executor.isolated { asked.leave() }
        scene.daemon.browserReturns("state=\(state)&code=ada")
        scene = try scene.restarted()
        let attached = scene.daemon.call("AttachSession", ["sessionID": id], more: true)
        #expect(attached.event?["account"]?.objectValue?["uid"] == "ada" && attached.event?["credential"] == nil)
        #expect(scene.daemon.call("AttachSession", ["sessionID": id], more: true).errorName == "SessionNotFound")
    }

    @Test("proposes the sign-in of the account that is meant, in words that mean nothing to a shell")
    func proposed() throws {
        let scene = try AccountScene(.own)
        scene.people.grants["refresh_token"] = .some(nil)
        scene.people.profiles["mal"] = ["id": "mal", "email": "$(id)@example.com"]
        func message(_ uid: String) -> String {
            scene.daemon.call("GetAccessToken", ["providerID": "work", "uid": .string(uid), "forceRefresh": true]).message
        }
        #expect(scene.keep("ada").isCompleted)
        #expect(message("ada").hasSuffix("run `postern sign-in work`"))
        #expect(scene.keep("eve").isCompleted && scene.keep("mal").isCompleted)
        #expect(message("eve").hasSuffix("run `postern sign-in work --login-hint eve@example.com`"), "\(message("eve"))")
        #expect(message("mal").hasSuffix("run `postern sign-in work --login-hint mal`"), "\(message("mal"))")
    }

    @Test("under a name whose login the provider does not confirm asks the person, and no app can use what that takes")
    func confirmed() throws {
        let named = "[account.acme]\nprovider = \"club\"\nlogin = \"bob@example.com\"\n"
        for isApp in [false, true] {
            let scene = try AccountScene(.own, more: named)
            let asked = scene.keep("bob", at: "acme")
            #expect(asked.errorName == "AccountNotConfirmed")
            let handle = try #require(asked.offered("handle"))
            #expect(scene.daemon.call("ListCredentials")["credentials"]?.arrayValue == [])
            if isApp {
                #expect(scene.use(["handle": handle], app: "evil").errorName == "InvalidCredential" && scene.uid(app: "evil") == nil)
                continue
            }
            let confirmation: JSONObject = ["confirmation": handle]
            #expect(scene.askToKeep("club", confirmation).errorName == "InvalidParameter")
            let kept = scene.askToKeep("acme", confirmation)
            #expect(kept.isCompleted && kept.event?["account"]?.objectValue?["account"] == "acme")
            #expect(scene.askToKeep("acme", confirmation).errorName == "InvalidCredential")
            #expect(scene.keep("eve", at: "acme").errorName == "UserMismatch", "from now on no other account has the name")
        }
    }
}
