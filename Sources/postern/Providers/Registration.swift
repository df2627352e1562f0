import PosternClient

/// The peculiarities of registering an application at a provider, for the user who does it. This is only text: the daemon decides what it
/// does differently for a provider.
struct Registration {
    /// Precedes a callback URL that is plain http to this machine.
    var beforePlainCallback = Registration.registerThis
    /// Follows it.
    var plainCallback: [String] = []
    /// Replaces the usual lines.
    var configuration: [String]?
    /// Where to put a secret that is not a line of text; empty if there is none.
    var secret: [String]?
    /// How a page elsewhere forwards the responses, if not by the page of `packaging/relay/`.
    var relay: [String]?

    static let registerThis = "At the provider, register this as the authorization callback URL:"

    /// For a provider that accepts no callback URL of this machine.
    static func elsewhere(_ name: String, id: String) -> [String] {
        [
            "\(name) does not redirect to an address of this machine: it accepts only https pages with a domain name.",
            "Make such a page of yours forward the answer to Postern (docs/providers/\(id).md says how),",
            "register the page's address at the provider, and put it into the configuration as redirect-uri.",
        ]
    }

    /// The entry for a provider as configured; nil for one that is not built in.
    ///
    /// - Parameter directory: that of the secrets.
    static func of(_ provider: Provider, directory: String) -> Registration? {
        switch provider.providerID {
        case "github.com": gitHub(directory)
        case "gitlab.com": gitLab(directory)
        case "google.com": google(directory)
        case "microsoft.com": microsoft
        case "twitter.com": twitter
        case "x.com": xPlatform(directory)
        // With `limited = true` it is an OpenID provider with other keys.
        case "facebook.com": provider.kind == .oidc ? facebookLimited : facebook
        case "apple.com": apple(directory)
        default: nil
        }
    }
}

extension Registration {
    static func gitHub(_ directory: String) -> Registration {
        Registration(
            plainCallback: [
                "GitHub accepts it with any port, once it is registered with 127.0.0.1; the path must be the same.",
                "An OAuth app has one such URL; a GitHub App may have ten. GitHub needs the secret even with PKCE.",
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
                "Leave Confidential ticked for an application with a secret; without it there is none.",
            ],
            configuration: [
                "[provider.\"gitlab.com\"]", "client-id = \"…\"       # the Application ID",
                "client-secret = { file = \"\(directory)/gitlab.secret\" }   # leave out if it is not confidential",
                "# host = \"git.example.com\"   # for GitLab on your own host",
            ])
    }

    static func google(_ directory: String) -> Registration {
        Registration(
            beforePlainCallback: "Google redirects to this callback URL:",
            plainCallback: [
                "A client of the type Desktop app accepts it with any port: there is nothing to register.",
                "A client of the type Web application must have it among its redirect URIs, byte for byte.",
            ],
            configuration: [
                "[provider.\"google.com\"]", "client-id = \"…\"       # ends in .apps.googleusercontent.com",
                "client-secret = { file = \"\(directory)/google.secret\" }   # a Desktop app has one, too",
                "# parameters = { hd = \"example.com\" }   # only accounts of this organisation",
            ])
    }

    static let microsoft = Registration(
        plainCallback: [
            "Register it for the platform Mobile and desktop applications, as http://localhost/__/auth/handler:",
            "the port may be left out and does not matter, the path does. 127.0.0.1 is not accepted there.",
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
            // A static page cannot see a response that is posted to it.
            relay: [
                "and make that address forward what is posted to it to this machine, by a redirect with status 307",
                "(docs/providers/apple.com.md has the line for it)",
            ])
    }
}

extension Registration {
    static let facebook = Registration(plainCallback: developmentCallback)

    static let facebookLimited = Registration(
        plainCallback: developmentCallback,
        configuration: ["[provider.\"facebook.com\"]", "client-id = \"…\"       # the App ID; there is no secret", "limited = true"],
        secret: [])

    private static let developmentCallback = [
        "Facebook accepts it while the app is in development mode, and only for people with a role in the app.",
        "A live app accepts only https pages: make such a page of yours forward the answer to Postern",
        "(docs/providers/facebook.com.md says how), register that, and set redirect-uri to its address.",
    ]
}

extension Registration {
    static let twitter = Registration(plainCallback: exactCallback)

    static func xPlatform(_ directory: String) -> Registration {
        Registration(
            plainCallback: exactCallback,
            configuration: [
                "[provider.\"x.com\"]", "client-id = \"…\"",
                "client-secret = { file = \"\(directory)/x.secret\" }   # leave out for a native app, which has none",
            ])
    }

    private static let exactCallback = [
        "X compares it exactly, port and all: do not change the port under [callback] once this is registered",
        "(developer portal, your app, User authentication settings, Callback URI).",
    ]
}
