@testable import PosternConfiguration
import PosternCore
import Testing

@Suite("A Firebase project as the authority")
struct FirebaseTests {
    private func accounts(_ text: String) throws -> Configuration.Accounts { try Reading.read("[accounts]\n\(text)").accounts }

    @Test("this machine is the authority where nobody says otherwise")
    func local() throws {
        #expect(try accounts("").authority == .local)
        #expect(try accounts("authority = \"local\"").firebase == nil)
    }

    @Test("a project has a key, which may be kept elsewhere")
    func project() throws {
        #expect(
            try accounts("authority = \"firebase\"\napi-key = \"AIza\"").firebase
                == Configuration.Firebase(apiKey: .literal(Secret("AIza"))))
        #expect(
            try accounts("authority = \"firebase\"\napi-key = { credential = \"firebase\" }\nproject-id = \"my-project\"").firebase
                == Configuration.Firebase(apiKey: .credential("firebase"), projectID: "my-project"))
    }

    @Test(
        "an emulator is on this machine, or speaks TLS",
        arguments: [
            ("127.0.0.1:9099", "http://127.0.0.1:9099"), ("localhost:9099", "http://localhost:9099"), ("[::1]:9099", "http://[::1]:9099"),
            ("http://127.0.0.1:9099/", "http://127.0.0.1:9099"), ("https://emulator.example/auth", "https://emulator.example/auth"),
        ])
    func emulator(text: String, url: String) throws {
        let firebase = try #require(try accounts("authority = \"firebase\"\nemulator = \"\(text)\"").firebase)
        #expect(firebase.emulator == url)
    }

    @Test(
        "an impossible value is refused",
        arguments: [
            ("authority = \"google\"", "must be one of"), ("authority = \"firebase\"", "needs api-key"),
            ("api-key = \"x\"", "needs authority"), ("authority = \"local\"\nemulator = \"127.0.0.1:1\"", "needs authority"),
            ("authority = \"firebase\"\napi-key = \"a b\"", "visible ASCII"),
            ("authority = \"firebase\"\nemulator = \"10.0.0.1:9099\"", "plain http"),
            ("authority = \"firebase\"\nemulator = \"http://example.com\"", "plain http"),
            ("authority = \"firebase\"\nemulator = \"127.0.0.1:9099?x\"", "query"),
            ("authority = \"firebase\"\napi-key = \"x\"\nproject-id = \"a/b\"", "project's ID"),
            ("authority = \"firebase\"\napi-key = \"x\"\none-account-per-email = true", "must be left out"),
        ])
    func refused(text: String, words: String) throws {
        let error = try #require(Reading.refusal("[accounts]\n\(text)"))
        #expect(error.description.contains(words))
    }

    @Test("a key that others can read is refused")
    func exposed() throws {
        let text = "[accounts]\nauthority = \"firebase\"\napi-key = \"AIza-secret\""
        let error = try #require(Reading.refusal(text, mode: 0o644))
        #expect(error.description.contains("chmod 600") && !error.description.contains("AIza-secret"))
        #expect(Reading.refusal("[accounts]\nauthority = \"firebase\"\napi-key = { env = \"KEY\" }", mode: 0o644) == nil)
    }
}
