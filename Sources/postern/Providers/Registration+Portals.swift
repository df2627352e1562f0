extension Registration {
    static func gitHub(_ directory: String) -> Registration {
        Registration(
            plainCallback: [
                "GitHub takes it with any port, once it is registered with 127.0.0.1; the path must be the same.",
                "An OAuth app has one such URL; a GitHub App may have ten. GitHub wants the secret even with PKCE.",
            ],
            configuration: [
                "[provider.\"github.com\"]", "client-id = \"…\"",
                "client-secret = { file = \"\(directory)/github.secret\" }",
                "# host = \"git.example.com\"   # for GitHub Enterprise",
            ])
    }

    static func gitLab(_ directory: String) -> Registration {
        Registration(
            plainCallback: [
                "GitLab compares it byte for byte. Tick the scopes openid, profile and email there.",
                "Leave Confidential ticked for an application with a secret; without the tick it has none.",
            ],
            configuration: [
                "[provider.\"gitlab.com\"]", "client-id = \"…\"       # the Application ID",
                "client-secret = { file = \"\(directory)/gitlab.secret\" }   # leave out where it is not confidential",
                "# host = \"git.example.com\"   # for GitLab on a host of your own",
            ])
    }

    static func google(_ directory: String) -> Registration {
        Registration(
            beforePlainCallback: "Google sends people back to this callback URL:",
            plainCallback: [
                "A client of the type Desktop app takes it, with any port, without being told: there is nothing to register.",
                "A client of the type Web application must have it among its redirect URIs, byte for byte.",
            ],
            configuration: [
                "[provider.\"google.com\"]", "client-id = \"…\"       # ends in .apps.googleusercontent.com",
                "client-secret = { file = \"\(directory)/google.secret\" }   # a Desktop app has one, too",
                "# parameters = { hd = \"example.com\" }   # accounts of this organisation alone",
            ])
    }

    static let microsoft = Registration(
        plainCallback: [
            "Register it for the platform Mobile and desktop applications, as http://localhost/__/auth/handler:",
            "the port may be left out and does not matter, the path does. 127.0.0.1 is not taken there.",
        ],
        configuration: [
            "[provider.\"microsoft.com\"]", "client-id = \"…\"       # the Application (client) ID; there is no secret",
            "# tenant = \"organizations\"   # or \"consumers\", or a tenant's ID or domain; \"common\" is everybody",
        ],
        secret: [])

    static func apple(_ directory: String) -> Registration {
        Registration(
            configuration: [
                "[provider.\"apple.com\"]", "client-id = \"…\"     # the Services ID, such as com.example.service",
                "team-id = \"…\"       # ten letters and digits, at the top right of the developer account",
                "key-id = \"…\"        # of the key for Sign in with Apple",
                "signing-key = { file = \"\(directory)/apple.p8\" }",
                "redirect-uri = \"https://app.example.com/__/auth/handler\"",
            ],
            secret: [
                "The key file goes where only you can read it:",
                "  (umask 077; mkdir -p \(directory) && cat AuthKey_*.p8 > \(directory)/apple.p8)",
            ],
            // A page sees nothing of an answer that is posted.
            relay: [
                "and have that address hand what is posted to it on to this machine, by a redirect with status 307",
                "(docs/providers/apple.com.md has the line for it)",
            ])
    }
}
