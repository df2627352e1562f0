/// What is particular about registering an application at a provider, for the person who does it. What the daemon does differently
/// for a provider is the daemon's business; this is only said.
struct Registration {
    /// Before a callback URL that is plain http to this machine.
    var beforePlainCallback = Registration.registerThis
    /// Behind it.
    var plainCallback: [String] = []
    /// In place of the usual lines.
    var configuration: [String]?
    /// Where a secret goes that is no line of text.
    var secret: [String]?

    static let registerThis = "At the provider, register this as the authorization callback URL:"

    /// For a provider that takes no callback URL of this machine.
    static func elsewhere(_ name: String, id: String) -> [String] {
        [
            "\(name) sends nobody back to an address of this machine: it takes https pages with a domain name alone.",
            "Have such a page of yours hand the answer on to Postern (docs/providers/\(id).md says how),",
            "register the page's address at the provider, and write it into the configuration as redirect-uri.",
        ]
    }

    /// What is known of a provider; nil for one that is not built in.
    ///
    /// - Parameter directory: where the secrets go.
    static func known(_ id: String, directory: String) -> Registration? {
        switch id {
        case "github.com": gitHub(directory)
        case "gitlab.com": gitLab(directory)
        case "google.com": google(directory)
        case "microsoft.com": microsoft
        case "twitter.com": twitter
        case "x.com": xPlatform(directory)
        case "facebook.com": facebook
        case "apple.com": apple(directory)
        default: nil
        }
    }

    private static let facebook = Registration(
        plainCallback: [
            "Facebook takes it while the app is in development mode, and only for people with a role in the app.",
            "A live app takes https pages alone: have such a page of yours hand the answer on to Postern",
            "(docs/providers/facebook.com.md says how), register that, and set redirect-uri to its address.",
        ])

    private static func apple(_ directory: String) -> Registration {
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
            ])
    }
}
