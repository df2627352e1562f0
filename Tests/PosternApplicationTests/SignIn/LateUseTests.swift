import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What waits to be used was checked against a configuration, which may be another one by then.
@Suite("What waits to be used, after the configuration has changed", .serialized)
struct LateUseTests {
    enum Change: String, CaseIterable, Sendable {
        case nothing, issuer, client, gone, app, otherURLs

        /// What becomes of the `home` section.
        func applied(to toml: String) -> String {
            switch self {
            case .nothing: return toml
            case .issuer: return toml.replacing("https://home.example/token", with: "https://newhome.example/token")
            case .gone:
                guard let start = toml.range(of: "[provider.home]"), let end = toml.range(of: "[provider.club]") else { return toml }
                return String(toml[..<start.lowerBound] + toml[end.lowerBound...])
            case .client: return changed(toml, "client-id = \"client\"", "client-id = \"another\"")
            case .app: return changed(toml, "kind = \"oauth2\"", "kind = \"oauth2\"\napp = \"brought\"")
            // What it is for, and not who is asked.
            case .otherURLs: return changed(toml, "kind = \"oauth2\"", "kind = \"oauth2\"\nserves = [\"https://x.example\"]")
            }
        }

        private func changed(_ toml: String, _ old: String, _ new: String) -> String {
            guard let start = toml.range(of: "[provider.home]"), let place = toml.range(of: old, from: start.upperBound) else { return toml }
            return String(toml[..<place.lowerBound]) + new + String(toml[place.upperBound...])
        }

        var holds: Bool { self == .nothing || self == .otherURLs }
    }

    @Test("A handle signs in nobody, unless it is of what is configured", arguments: Change.allCases, Authority.allCases)
    func handle(change: Change, authority: Authority) throws {
        let scene = try AccountScene(authority)
        let handle = try scene.handle("ada", at: "home", app: "photos")
        try scene.daemon.reload(change.applied(to: scene.toml))
        let reply = scene.use(["handle": handle], app: "photos")
        if change.holds {
            #expect(reply.error == nil && scene.accounts(app: "photos") == ["home/ada"], "\(reply.message)")
        } else {
            #expect(reply.errorName == "InvalidCredential" && scene.user(app: "photos") == nil, "\(reply.message)")
            #expect(scene.daemon.call("ListCredentials")["credentials"]?.arrayValue == [])
            try scene.daemon.reload(scene.toml)
            #expect(scene.use(["handle": handle], app: "photos").errorName == "InvalidCredential", "nor later")
        }
    }

    @Test("A resolver finishes nothing, unless it is of what is configured", arguments: Change.allCases, Authority.allCases)
    func resolver(change: Change, authority: Authority) throws {
        let scene = try AccountScene(authority)
        var code = "1"
        if authority == .own {
            #expect(scene.signIn("ada", app: "photos").isCompleted)
            #expect(scene.signIn("adas", at: "home", app: "photos", intent: "link").isCompleted)
            let authenticator = try scene.enroll(app: "photos")
            code = authenticator.code(at: scene.daemon.clock.now)
        } else {
            #expect(scene.signIn("adas", at: "home", app: "photos").isCompleted)
            scene.people.project?.requireFactor(of: try #require(scene.uid(app: "photos")?.stringValue))
        }
        let asked = scene.signIn("adas", at: "home", app: "chess")
        #expect(asked.errorName == "SecondFactorRequired", "\(asked.message)")
        let factor = asked.error?.object["hints"]?.arrayValue?.first?.objectValue?["uid"] ?? .null
        try scene.daemon.reload(change.applied(to: scene.toml))
        let reply = scene.daemon.call(
            "ResolveSecondFactor", ["resolver": asked.offered("resolver") ?? .null, "uid": factor, "verificationCode": .string(code)])
        #expect((reply.error == nil) == change.holds && (scene.user(app: "chess") != nil) == change.holds, "\(reply.message)")
    }

    @Test("A confirmation keeps nothing, unless it is of what is configured", arguments: Change.allCases)
    func confirmation(change: Change) throws {
        let acme = "[account.acme]\nprovider = \"home\"\nlogin = \"bob@example.com\"\n"
        let scene = try AccountScene(.own, more: acme)
        let asked = scene.keep("bob", at: "acme")
        #expect(asked.errorName == "AccountNotConfirmed")
        try scene.daemon.reload(change.applied(to: change == .gone ? scene.toml.replacing(acme, with: "") : scene.toml))
        let reply = scene.askToKeep("acme", ["confirmation": asked.offered("handle") ?? .null])
        #expect(reply.isCompleted == change.holds, "\(reply.message)")
        #expect((scene.daemon.call("ListCredentials")["credentials"]?.arrayValue?.isEmpty == false) == change.holds)
    }

    @Test("A handle that was for a name signs in nobody once the name means another account", arguments: Authority.allCases)
    func login(authority: Authority) throws {
        let acme = "[account.acme]\nprovider = \"home\"\nlogin = \"ada@example.com\"\n"
        let scene = try AccountScene(authority, more: acme)
        scene.people.verified = true
        let handles = try (0..<2).map { _ in try scene.handle("ada", at: "acme", app: "photos") }
        try scene.daemon.reload(scene.toml.replacing("ada@example.com", with: "bob@example.com"))
        #expect(scene.use(["handle": handles[0]], app: "photos").errorName == "InvalidCredential")
        try scene.daemon.reload(scene.toml)
        #expect(scene.use(["handle": handles[1]], app: "photos").error == nil)
    }
}

extension String {
    fileprivate func range(of text: String, from start: String.Index? = nil) -> Range<String.Index>? {
        self[(start ?? startIndex)...].firstRange(of: text)
    }
}
