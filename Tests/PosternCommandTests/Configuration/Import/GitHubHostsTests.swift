import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("gh's hosts.yml")
struct GitHubHostsTests {
    private func accounts(_ text: String) throws -> [String] {
        try GitHubHosts.accounts(in: text).map { account in
            "\(account.name) \(account.login ?? "-") \(account.host ?? "-") \(account.accessToken?.reveal() ?? "-")"
        }
    }

    @Test(
        "has hosts, users, and the tokens that are not in a keyring",
        arguments: [
            // Before 2.40.
            ("github.com:\n    user: octo\n    oauth_token: gho_1\n    git_protocol: https\n", ["octo octo github.com gho_1"]),
            ("github.com:\n    oauth_token: gho_1\n", ["github.com - github.com gho_1"]),
            // Several users; the active one's token is there twice.
            (
                """
                # written by gh
                ---
                github.com:
                    users:
                        octo:
                            oauth_token: gho_1
                        "ada-work":
                            oauth_token: 'gho_2'   # hers
                    git_protocol: https
                    oauth_token: gho_1
                    user: octo
                git.example.com:
                  git_protocol: ssh
                  users:
                    octo:
                      oauth_token: gho_3
                  user: octo

                """,
                ["octo octo github.com gho_1", "ada-work ada-work github.com gho_2", "octo@git.example.com octo git.example.com gho_3"]
            ),
            // In a keyring.
            ("github.com:\n    users:\n        octo:\n        ada: {}\n    user: octo\n", ["octo octo github.com -", "ada ada github.com -"]),
            ("github.com:\r\n    users: null\r\n    user: octo\r\n", ["octo octo github.com -"]),
            // Only what the active user has beside the host is there.
            ("github.com:\n  users:\n    octo:\n  user: octo\n  oauth_token: gho_1\n", ["octo octo github.com gho_1"]),
            ("github.com:\n  git_protocol: https\n", []), ("", []), ("github.com:\n", []), ("# nothing\n", []),
        ] as [(String, [String])])
    func accounts(text: String, expected: [String]) throws { #expect(try accounts(text) == expected) }

    @Test("gives each account the endpoints of its host")
    func endpoints() throws {
        let account = try #require(try GitHubHosts.accounts(in: "git.example.com:\n  user: octo\n").first)
        #expect(
            account.provider
                == .endpoints(
                    authorization: "https://git.example.com/login/oauth/authorize",
                    token: "https://git.example.com/login/oauth/access_token"))
    }

    @Test(
        "in another form of YAML is refused, with the line and without a value",
        arguments: [
            ("github.com:\n\tuser: secret\n", "line 2: a tab or a control character"),
            ("github.com: &a\n  user: secret\n", "line 1: this form of YAML is not read"),
            ("github.com:\n  <<: *secret\n", "line 2: this form of YAML is not read"),
            ("github.com: {user: secret}\n", "line 1: this form of YAML is not read"),
            ("github.com:\n  - secret\n", "line 2: this form of YAML is not read"),
            ("github.com:\n  oauth_token: |\n    secret\n", "line 2: this form of YAML is not read"),
            ("github.com:\n  oauth_token: !!str secret\n", "line 2: this form of YAML is not read"),
            ("github.com:\n  oauth_token: \"sec\\nret\"\n", "line 2: this escape is not read"),
            ("github.com:\n  oauth_token: \"secret\n", "line 2: a string is not closed"),
            ("github.com:\n  oauth_token: 'secret' x\n", "line 2: something follows the value"),
            ("github.com:\n  user: a: secret\n", "line 2: this form of YAML is not read"),
            ("github.com:\n  user: secret\n  user: other\n", "line 3: a key appears twice"),
            ("github.com:\n  user: secret\n    more: x\n", "line 3: the indentation fits no line above"),
            ("github.com:\n    user: secret\n  more: x\n", "line 3: the indentation fits no line above"),
            ("secret\n", "line 1: a key and a colon are missing"),
            ("github.com:\n  users: secret\n", "users of github.com must be a mapping"),
            ("github.com:\n  users:\n    octo: secret\n", "line 3: the user has no settings"),
            ("github.com:\n  user:\n    x: secret\n", "line 2: user must be a string"),
            ("github.com:\n  oauth_token: sec ret\n", "an oauth_token is too long or has characters that no token has"),
            ("https://github.com/x:\n  user: secret\n", "line 1: the key is not a host: it is not gh's hosts.yml"),
            ("version: secret\n", "line 1: the host has no settings: it is not gh's hosts.yml"),
            (
                (0..<9).map { String(repeating: " ", count: $0) + "a:\n" }.joined(), "line 9: nested more than 8 deep"
            ),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: ForeignFileError.self) { try GitHubHosts.accounts(in: text) }
        #expect(error?.description == words)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("has no more accounts than a person can have")
    func many() {
        let users = (0...64).map { "    u\($0):\n" }.joined()
        #expect(throws: ForeignFileError("it has more than 64 accounts")) {
            try GitHubHosts.accounts(in: "github.com:\n  users:\n" + users)
        }
    }
}
