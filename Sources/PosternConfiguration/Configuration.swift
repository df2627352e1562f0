import PosternCore

/// The content of the configuration files, checked; omitted keys have their defaults.
public struct Configuration: Sendable {
    public var callback = Callback()
    public var signIn = SignIn()
    public var accounts = Accounts()
    public var secondFactors = SecondFactors()
    public var store = Store()
    public var daemon = Daemon()
    public var attention = Attention()
    /// In the order of the files; built-in providers that no file mentions come last, with their problem.
    public var providers: [ConfiguredProvider] = []
    /// `[account.NAME]`
    public var namedAccounts = AccountDirectory()
    /// Settings in packages' files that are not permitted there, and are ignored; the rest of the configuration is used.
    public var leftOut: [ConfigurationError] = []

    public init() {}

    public func provider(_ id: String) -> ConfiguredProvider? { providers.first { $0.provider.id == id } }
}

extension Configuration {
    /// `[callback]`: where the browser returns to.
    public struct Callback: Sendable, Hashable {
        /// IP literals, each a loopback address.
        public var addresses = ["127.0.0.1"]
        /// 0: the kernel chooses one.
        public var port = 7678
        /// Only sockets of this user or of root are answered.
        public var sameUser = true
        /// PEM files for https; both or neither.
        public var certificate: String?
        public var key: String?

        public init() {}
    }

    /// `[sign-in]`
    public struct SignIn: Sendable, Hashable {
        /// How long a page may wait for the user: 1 s to 1 h.
        public var timeout = Duration.seconds(600)
        public var browser = Browser.command(["xdg-open"])
        /// The languages of the pages; each is one of `en`, `ja`, `it`. The first is used if the browser names none of them.
        public var languages = ["en", "ja", "it"]
        /// How people sign in if neither a program nor the provider's section says.
        public var flow = ProviderFlow.browser

        public init() {}
    }

    /// How the daemon opens a page.
    public enum Browser: Sendable, Hashable {
        /// The program and its arguments; the URL is added as the last one.
        case command([String])
        /// The desktop portal (`org.freedesktop.portal.OpenURI`).
        case portal
        /// Never; the caller gets the URL.
        case none
    }

    /// `[accounts]`
    public struct Accounts: Sendable, Hashable {
        public var oneAccountPerEmail = true
        public var authority = AccountAuthority.local
        /// With the authority `firebase`.
        public var firebase: Firebase?

        public init() {}
    }

    /// Who keeps the accounts; the raw values are those of the file.
    public enum AccountAuthority: String, Sendable, CaseIterable {
        /// This machine.
        case local
        /// A Firebase project.
        case firebase
    }

    /// The project in `[accounts]`, its key not yet fetched.
    public struct Firebase: Sendable, Hashable {
        public var apiKey: SecretSource
        /// The emulator's base URL, without a trailing slash; nil for Google's servers.
        public var emulator: String?
        public var projectID: String?

        public init(apiKey: SecretSource, emulator: String? = nil, projectID: String? = nil) {
            self.apiKey = apiKey
            self.emulator = emulator
            self.projectID = projectID
        }
    }

    /// `[store]`
    public struct Store: Sendable, Hashable {
        public var key = KeySource.auto

        public init() {}
    }

    /// Where the store's sealing key is kept; the raw values are those of the file.
    public enum KeySource: String, Sendable, CaseIterable {
        case auto, credential
        case secretService = "secret-service"
        case file, passphrase
    }

    /// `[daemon]`
    public struct Daemon: Sendable, Hashable {
        /// How long a socket-activated daemon stays idle before it exits; nil: forever.
        public var idleExit: Duration? = .seconds(300)
        public var logLevel = LogLevel.info

        public init() {}
    }

    /// From the least to the most verbose.
    public enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case error, warning, notice, info, debug

        public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .notice: 2
            case .info: 3
            case .debug: 4
            }
        }
    }
}

/// A provider as the configuration describes it, its secret not yet fetched.
public struct ConfiguredProvider: Sendable {
    /// `clientSecret` is nil; `problem` is set if the client ID or a required secret is not configured.
    public var provider: Provider
    /// The source of its client secret; nil for a public client.
    public var secret: SecretSource?
    /// The sources of its other secrets, by their keys.
    public var furtherSecrets: [String: SecretSource]
    /// The browser that shows its page, if not the one of `[sign-in]`.
    public var browser: BrowserChoice
    /// False for a built-in provider that has no section in any file.
    public var isMentioned: Bool

    public init(
        provider: Provider, secret: SecretSource? = nil, furtherSecrets: [String: SecretSource] = [:],
        browser: BrowserChoice = BrowserChoice(), isMentioned: Bool = true
    ) {
        self.isMentioned = isMentioned
        self.provider = provider
        self.secret = secret
        self.furtherSecrets = furtherSecrets
        self.browser = browser
    }
}
