/// How an app is registered at a built-in provider: the page for it, what the page gives, and what to know.
///
/// These are texts for the user, which `postern provider show` and `postern setup` print. What the daemon does differently for a provider
/// is in its dialect.
public struct ProviderRegistration: Sendable, Hashable {
    /// The provider's own page for registering a client, with as many fields filled in as its address permits.
    public var page: Page
    /// The values that the page gives, in the order in which the user is asked for them; nil if they are the usual ones of the protocol.
    public var fields: [Field]?
    /// What tokens of the provider are wanted for; the first is the usual one. Empty if there is nothing to choose.
    public var purposes: [Purpose] = []
    /// Precedes the scopes that must be ticked or added at the provider; nil if nothing has to be.
    public var scopeBoxes: String?
    /// The flow to configure if the user gives no client secret, where the usual one needs it.
    public var flowWithoutSecret: ProviderFlow?
    /// Precedes a callback URL that is plain http to this machine, instead of the usual line.
    public var beforePlainCallback: String?
    /// Follows it.
    public var plainCallback: [String] = []
    /// Follows it in the set-up dialogue, whose page has the fields filled in; nil: the same lines.
    public var callbackInDialogue: [String]?
    /// The configuration, instead of the usual lines.
    public var configuration: [String]?
    /// Where to put a secret that is not a line of text; empty if there is none, nil for a usual one.
    public var secret: [String]?
    /// How a page elsewhere forwards the responses, if not by the page of `packaging/relay/`.
    public var relay: [String]?
}

extension ProviderRegistration {
    public struct Page: Sendable, Hashable {
        public var url: String
        /// The name and the callback URL are filled in.
        public var isFilledIn = false
    }

    /// What tokens are wanted for, and the scopes that this takes.
    public struct Purpose: Sendable, Hashable {
        public var name: String
        public var scopes: [String]
        /// Tokens are to answer git when it asks for a password.
        public var isForGit: Bool

        public init(_ name: String, _ scopes: [String], isForGit: Bool = false) {
            self.name = name
            self.scopes = scopes
            self.isForGit = isForGit
        }
    }

    /// A value from the provider that is put into the configuration.
    public struct Field: Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
            case text
            /// Hidden while typed. The value says what Enter alone means, if the secret is optional.
            case secret(whenEmpty: String?)
            /// The path of a file that contains a secret.
            case secretFile
        }

        public var key: String
        /// What the provider calls it.
        public var label: String
        public var kind: Kind

        public init(_ key: String, _ label: String, _ kind: Kind = .text) {
            self.key = key
            self.label = label
            self.kind = kind
        }

        public static func clientID(_ label: String) -> Field { Field("client-id", label) }

        public static func clientSecret(_ label: String, whenEmpty: String? = nil) -> Field {
            Field("client-secret", label, .secret(whenEmpty: whenEmpty))
        }

        /// Whether it names the client.
        public static func isID(_ key: String) -> Bool { ["client-id", "api-key"].contains(key) }
    }
}

/// What the texts about a registration depend on.
public struct RegistrationContext: Sendable {
    /// As configured: a provider may speak another protocol with one of its own keys.
    public var kind: ProviderKind
    /// That of the configuration, as it is shown to the user. Secrets are in files beside it.
    public var directory: String
    /// That of a self-hosted server, if the configuration names it.
    public var host: String?
    public var redirectURI: String?
    /// Of the redirect URI, if it is an http address.
    public var redirectOrigin: String?

    public init(kind: ProviderKind, directory: String, host: String? = nil, redirectURI: String? = nil, redirectOrigin: String? = nil) {
        self.kind = kind
        self.directory = directory
        self.host = host
        self.redirectURI = redirectURI
        self.redirectOrigin = redirectOrigin
    }
}
