import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// People choose their user names, and some providers their subjects; an address that nobody has verified is chosen, too.
@Suite("A sign-in under a name whose login is an address", .serialized)
struct LoginTests {
    private static let configuration = """
        [account.acme]
        provider = "club"
        login = "bob@example.com"

        """

    enum Verdict: String, Sendable {
        case accepted = "done"
        case asks = "AccountNotConfirmed"
        case refused = "UserMismatch"
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The profiles of accounts that are stored already.
        var known: [JSONObject] = []
        var profile: JSONObject
        var verdict: Verdict
    }

    private static let bob: JSONObject = ["id": "2", "email": "Bob@Example.com", "email_verified": true]
    private static let ada: JSONObject = ["id": "1", "email": "ada@example.com", "email_verified": true]
    private static let named: JSONObject = ["id": "9", "username": "bob@example.com", "email": "eve@example.com", "email_verified": true]
    private static let subject: JSONObject = ["id": "bob@example.com", "email": "eve@example.com", "email_verified": true]

    static let cases: [Case] = [
        Case(testDescription: "its address, verified", profile: bob, verdict: .accepted),
        Case(testDescription: "its address, of which the provider says nothing", profile: ["id": "2", "email": "bob@example.com"], verdict: .asks),
        Case(
            testDescription: "its address, which the provider denies",
            profile: ["id": "9", "email": "bob@example.com", "email_verified": false], verdict: .refused),
        Case(
            testDescription: "its address, of which this provider says nothing, and says it of others", known: [ada],
            profile: ["id": "2", "email": "bob@example.com"], verdict: .refused),
        Case(testDescription: "a user name that is the address", profile: named, verdict: .asks),
        Case(
            testDescription: "a user name that is the address, and no address", profile: ["id": "9", "username": "bob@example.com"],
            verdict: .asks),
        Case(testDescription: "a subject that is the address", profile: subject, verdict: .asks),
        Case(testDescription: "another address", profile: ada, verdict: .refused),
        Case(testDescription: "a user name that is the address, where Bob is known", known: [bob], profile: named, verdict: .refused),
        Case(testDescription: "a subject that is the address, where Bob is known", known: [bob], profile: subject, verdict: .refused),
        Case(
            testDescription: "Bob, where a user name is his address", known: [named], profile: bob, verdict: .accepted),
        Case(testDescription: "Bob, where a subject is his address", known: [subject], profile: bob, verdict: .accepted),
        Case(testDescription: "Bob, who is known", known: [bob], profile: bob, verdict: .accepted),
        Case(
            testDescription: "Bob, who is known and has another address now", known: [bob],
            profile: ["id": "2", "email": "robert@example.com", "email_verified": true], verdict: .accepted),
        Case(
            testDescription: "who has Bob's address now, where Bob is known", known: [bob],
            profile: ["id": "9", "email": "bob@example.com", "email_verified": true], verdict: .refused),
    ]

    /// Whose user an address finds is another question.
    private func scene(_ authority: Authority) throws -> AccountScene {
        try AccountScene(authority, more: Self.configuration + (authority == .own ? "[accounts]\none-account-per-email = false\n" : ""))
    }

    private func token(_ scene: AccountScene) -> JSON? { scene.daemon.call("GetAccessToken", ["providerID": "acme"])["accessToken"] }

    /// The account that has this profile signs in, each time to an app of its own.
    private func signIn(_ scene: AccountScene, _ profile: JSONObject, as name: String, app: String) -> RecordedReply {
        let code = "code\(app)"
        scene.people.profiles[code] = profile
        return scene.signIn(code, at: name, app: app)
    }

    @Test("is completed, asks or is refused by what is certain of the account", arguments: cases, Authority.allCases)
    func verdict(row: Case, authority: Authority) throws {
        let scene = try scene(authority)
        for (index, profile) in row.known.enumerated() {
            #expect(signIn(scene, profile, as: "club", app: "known\(index)").isCompleted)
        }
        let before = scene.projectRequests
        let its = JSON.string("at-codeasked-\(row.known.count + 1)")
        let reply = signIn(scene, row.profile, as: "acme", app: "asked")
        #expect(reply.ending == row.verdict.rawValue, "\(reply.message)")
        // Whoever has the address, as long as nobody has said more for the person.
        let hasAddress = row.profile["email"]?.stringValue?.lowercased() == "bob@example.com"
        #expect((token(scene) == its) == (row.verdict == .accepted && hasAddress))
        guard row.verdict != .accepted else { return }
        #expect(scene.projectRequests == before && scene.user(app: "asked") == nil)
        guard row.verdict == .asks else { return }
        // The app may go on with it, and has not said for the person whose the name is.
        #expect(scene.use(["handle": reply.offered("handle") ?? .null], app: "asked").error == nil)
        #expect(signIn(scene, row.profile, as: "acme", app: "again").errorName == "AccountNotConfirmed")
        // The person says that it is: from then on it is, and nobody else.
        scene.people.profiles["codekept"] = row.profile
        let kept = scene.keep("codekept", at: "acme")
        #expect(kept.errorName == "AccountNotConfirmed" && scene.askToKeep("acme", ["confirmation": kept.offered("handle") ?? .null]).isCompleted)
        let theirs = token(scene)
        #expect(theirs?.stringValue?.person == "codekept")
        for (index, stranger) in [Self.bob, Self.named, Self.subject].enumerated() where stranger["id"] != row.profile["id"] {
            let refused = signIn(scene, stranger, as: "acme", app: "stranger\(index)")
            #expect(refused.errorName == "UserMismatch" && token(scene) == theirs, "\(stranger["id"] ?? .null): \(refused.message)")
        }
        let renamed: JSONObject = ["id": row.profile["id"] ?? .null, "email": "renamed@example.com"]
        #expect(signIn(scene, renamed, as: "acme", app: "renamed").isCompleted)
    }

    @Test("finds no account by a name that somebody chose", arguments: Authority.allCases)
    func found(authority: Authority) throws {
        let scene = try scene(authority)
        let denied: JSONObject = ["id": "8", "email": "bob@example.com", "email_verified": false]
        for (index, profile) in [Self.named, Self.subject, denied].enumerated() {
            #expect(signIn(scene, profile, as: "club", app: "a\(index)").isCompleted)
            #expect(scene.daemon.call("GetAccessToken", ["providerID": "acme"]).errorName == "SignInRequired", "\(index)")
        }
        #expect(signIn(scene, Self.bob, as: "club", app: "b").isCompleted && token(scene) == "at-codeb-4")
    }

    @Test("that is a user name is refused to a stranger whose subject it is, once it is somebody's", arguments: Authority.allCases)
    func userName(authority: Authority) throws {
        let scene = try AccountScene(authority, more: Self.configuration.replacing("bob@example.com", with: "bob"))
        let bob: JSONObject = ["id": "2", "username": "Bob", "email": "bob@example.com"]
        #expect(signIn(scene, bob, as: "club", app: "a").isCompleted && token(scene) == nil, "a user name is exact where a token is asked for")
        let stranger = signIn(scene, ["id": "bob", "email": "eve@example.com"], as: "acme", app: "b")
        #expect(stranger.errorName == "UserMismatch", "\(stranger.message)")
        #expect(signIn(scene, bob, as: "acme", app: "c").isCompleted && token(scene) == nil)
        #expect(scene.keep("codec", at: "acme").isCompleted && token(scene)?.stringValue?.person == "codec")
    }

    struct Typed: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// As in the section.
        var login: String
        /// A stored account.
        var known: JSONObject?
        var profile: JSONObject
        var verdict: Verdict
    }

    /// People choose their user names, and at some providers digits are one.
    private static let posing: JSONObject = ["id": "99", "username": "4711", "email": "eve@example.com", "email_verified": true]
    private static let number: JSONObject = ["id": "4711", "username": "bob", "email": "bob@example.com", "email_verified": true]
    private static let word: JSONObject = ["id": "bob", "username": "eve", "email": "eve@example.com", "email_verified": true]

    static let typed: [Typed] = [
        Typed(testDescription: "an identifier, and a user name of that text", login: "{ id = \"4711\" }", profile: posing, verdict: .refused),
        Typed(testDescription: "an identifier", login: "{ id = \"4711\" }", profile: number, verdict: .accepted),
        Typed(testDescription: "digits, where identifiers are digits, and a user name of them", login: "\"4711\"", profile: posing, verdict: .refused),
        Typed(testDescription: "digits, where identifiers are digits", login: "\"4711\"", profile: number, verdict: .accepted),
        Typed(
            testDescription: "digits, where identifiers are words", login: "\"4711\"", known: word,
            profile: ["id": "eve", "username": "4711"], verdict: .accepted),
        Typed(
            testDescription: "a user name of digits, where identifiers are digits, too", login: "{ user = \"4711\" }", profile: posing,
            verdict: .accepted),
        Typed(testDescription: "a user name, and an identifier of that text", login: "{ user = \"4711\" }", profile: number, verdict: .asks),
        Typed(testDescription: "a word, and an identifier of that text", login: "\"bob\"", profile: word, verdict: .asks),
        Typed(testDescription: "a word, and a user name of that text", login: "\"bob\"", profile: number, verdict: .accepted),
        Typed(testDescription: "an address", login: "{ address = \"bob@example.com\" }", profile: number, verdict: .accepted),
        Typed(testDescription: "an address, and another's", login: "{ address = \"bob@example.com\" }", profile: posing, verdict: .refused),
        Typed(testDescription: "an identifier that is an address", login: "{ id = \"bob@example.com\" }", profile: number, verdict: .refused),
    ]

    @Test("matches the one kind of name that it is, and no other", arguments: typed)
    func kind(row: Typed) throws {
        let scene = try AccountScene(.own, more: "[account.acme]\nprovider = \"club\"\nlogin = \(row.login)\n")
        if let known = row.known {
            scene.people.profiles["known"] = known
            #expect(scene.keep("known", at: "club").isCompleted)
        }
        scene.people.profiles["asked"] = row.profile
        let reply = scene.keep("asked", at: "acme")
        #expect(reply.ending == row.verdict.rawValue, "\(reply.message)")
        #expect((token(scene) != nil) == (row.verdict == .accepted))
        // A token under the name is of such an account alone, too, whoever is stored.
        let other = try AccountScene(.own, more: "[account.acme]\nprovider = \"club\"\nlogin = \(row.login)\n")
        if let known = row.known {
            other.people.profiles["known"] = known
            #expect(other.keep("known", at: "club").isCompleted)
        }
        other.people.profiles["asked"] = row.profile
        #expect(other.keep("asked", at: "club").isCompleted)
        #expect((token(other) != nil) == (row.verdict == .accepted))
    }
}
