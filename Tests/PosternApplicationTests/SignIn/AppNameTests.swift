import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Two forms of one letter are one character to Swift, and two names on disk, in a file and on the wire.
@Suite("The name of an app, byte for byte", .serialized)
struct AppNameTests {
    private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

    @Test("does not join the page of an app of another name, nor one for another hint", arguments: Authority.allCases)
    func pages(authority: Authority) throws {
        let scene = try AccountScene(authority)
        let pages = [Self.composed, Self.decomposed].map { scene.ask("work", app: $0) }
        #expect(pages[0].event?["sessionID"] != pages[1].event?["sessionID"])
        scene.daemon.browserReturns("state=\(pages[0].pageState ?? "")&code=ada")
        #expect(pages[0].isCompleted && !pages[1].isFinished)
        #expect(scene.user(app: Self.composed) != nil && scene.user(app: Self.decomposed) == nil)
        let hints = [Self.composed, Self.decomposed].map { scene.ask("work", ["loginHint": .string($0)]) }
        #expect(hints[0].event?["sessionID"] != hints[1].event?["sessionID"])
    }

    @Test("is that of the app that a provider is for, and no other")
    func provider() throws {
        let scene = try AccountScene(
            .own, more: "[provider.own]\n\(AccountScene.provider("own", isTrusted: false))app = \"\(Self.composed)\"\n")
        #expect(scene.signIn("ada", at: "own", app: Self.composed).isCompleted)
        #expect(scene.signIn("ada", at: "own", app: Self.decomposed).errorName != nil)
        let handle = try scene.handle("eve", at: "own", app: Self.composed)
        #expect(scene.use(["handle": handle], app: Self.decomposed).error != nil)
    }

    @Test("keeps a credential for itself", arguments: Authority.allCases)
    func keepers(authority: Authority) throws {
        let scene = try AccountScene(authority)
        for app in [Self.composed, Self.decomposed] { #expect(scene.signIn("ada", app: app).isCompleted) }
        func keptBy() -> [[UInt8]]? {
            let kept = scene.daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["keptBy"]?.arrayValue
            return kept?.compactMap { $0.stringValue.map { Array($0.utf8) } }
        }
        #expect(keptBy()?.count == 2, "\(scene.daemon.call("ListCredentials").replies)")
    }

    @Test("ends what it began, and nothing of another's", arguments: Authority.allCases)
    func resolvers(authority: Authority) throws {
        let scene = try AccountScene(authority)
        #expect(scene.signIn("ada", app: Self.composed).isCompleted && scene.signIn("ada", app: Self.decomposed).isCompleted)
        #expect(scene.call("SignOut", app: Self.composed).error == nil)
        #expect(scene.user(app: Self.composed) == nil && scene.user(app: Self.decomposed) != nil)
    }
}
