import PosternClient

/// What is particular about registering an application at a provider, for the person who does it. What the daemon does differently
/// for a provider is the daemon's business; this is only said.
struct Registration {
    /// Before a callback URL that is plain http to this machine.
    var beforePlainCallback = Registration.registerThis
    /// Behind it.
    var plainCallback: [String] = []
    /// In place of the usual lines.
    var configuration: [String]?
    /// Where a secret goes that is no line of text; empty where there is none.
    var secret: [String]?
    /// How a page elsewhere hands the answers on, where it is not by the page of `packaging/relay/`.
    var relay: [String]?

    static let registerThis = "At the provider, register this as the authorization callback URL:"

    /// For a provider that takes no callback URL of this machine.
    static func elsewhere(_ name: String, id: String) -> [String] {
        [
            "\(name) sends nobody back to an address of this machine: it takes https pages with a domain name alone.",
            "Have such a page of yours hand the answer on to Postern (docs/providers/\(id).md says how),",
            "register the page's address at the provider, and write it into the configuration as redirect-uri.",
        ]
    }

    /// What is known of a provider as it is configured; nil for one that is not built in.
    ///
    /// - Parameter directory: where the secrets go.
    static func of(_ provider: Provider, directory: String) -> Registration? {
        switch provider.providerID {
        case "github.com": gitHub(directory)
        case "gitlab.com": gitLab(directory)
        case "google.com": google(directory)
        case "microsoft.com": microsoft
        case "twitter.com": twitter
        case "x.com": xPlatform(directory)
        // With `limited = true` it is an OpenID provider, and has other keys.
        case "facebook.com": provider.kind == .oidc ? facebookLimited : facebook
        case "apple.com": apple(directory)
        default: nil
        }
    }
}
