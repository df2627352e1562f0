import PosternConfiguration
import Testing

/// Every value of a full configuration in turn replaced by values of every type.
@Suite("Damaged configurations")
struct DamageTests {
    static let document = """
        [callback]
        addresses = ["127.0.0.1", "::1"]
        port = 7678
        same-user = true
        certificate = "/c.crt"
        key = "/c.key"
        [sign-in]
        timeout = "10m"
        browser = ["xdg-open"]
        languages = ["en", "ja", "it"]
        [accounts]
        one-account-per-email = true
        [store]
        key = "auto"
        [daemon]
        idle-exit = "5m"
        log-level = "info"
        [provider."github.com"]
        client-id = "Iv1"
        client-secret = { file = "~/s" }
        scopes = ["read:user"]
        parameters = { allow_signup = "false" }
        [provider.work]
        kind = "oidc"
        display-name = "Work"
        issuer = "https://login.example.com"
        client-id = "postern"
        client-secret = { command = ["pass", "work"] }
        client-authentication = "client_secret_basic"
        authorization-endpoint = "https://login.example.com/a"
        jwks-uri = "https://login.example.com/k"
        profile = { uid = "id" }
        trust-email = ["example.com"]
        ca-file = "/ca.pem"
        own-callback-path = true
        """

    static let lines = document.split(separator: "\n").map(String.init)

    static let values = [
        "1", "-1", "99999999999", "1.5", "nan", "true", "\"\"", "\"x\"", "\"\\u0000\"", "\"ünï\"", "1979-05-27", "07:32:00", "[]", "[[]]",
        "[1]", "[\"\"]",
        "[\"x\", \"x\"]", "[{}]", "{}", "{ a = 1 }", "{ file = 1 }", "{ file = \"\" }", "{ command = [1] }",
        "{ uid = {} }",
    ]

    @Test("The whole document is good")
    func good() {
        #expect(Reading.refusal(Self.document) == nil)
    }

    @Test("A value of another type is an error on its own line, or taken", arguments: lines.indices)
    func replaced(index: Int) throws {
        guard let equals = Self.lines[index].firstRange(of: " = ") else { return }
        for value in Self.values {
            var lines = Self.lines
            lines[index] = "\(lines[index][..<equals.lowerBound]) = \(value)"
            if let error = Reading.refusal(lines.joined(separator: "\n")) {
                #expect(error.line == index + 1 || Self.followsFromAnother(lines[index]), "\(error)")
            }
        }
    }

    /// What is then missing, or contradicts another key, is told where that is.
    private static func followsFromAnother(_ line: String) -> Bool {
        ["kind", "client-authentication"].contains { line.hasPrefix($0) }
    }

    @Test("A line that is missing leaves a good configuration, or an error that says what is needed", arguments: lines.indices)
    func removed(index: Int) throws {
        var lines = Self.lines
        lines.remove(at: index)
        guard let error = Reading.refusal(lines.joined(separator: "\n")) else { return }
        let words = ["needs", "unknown key", "appears twice", "was defined before", "give kind"]
        #expect(words.contains { error.message.contains($0) }, "\(error)")
    }
}
