import PosternClient

/// What another program wants, whichever protocol it said it in.
struct HelperQuestion: Equatable {
    /// Whose token is meant.
    enum Subject: Equatable {
        /// Of the account that serves the URL; a user name chooses among several.
        case url(String, user: String? = nil)
        /// Of a provider, or of a named account. The URL is where the caller says that the token goes: the account must serve it.
        case name(String, destination: String? = nil)
    }

    enum Kind: Equatable {
        case accessToken
        case idToken
    }

    var subject: Subject
    var kind = Kind.accessToken
    var scopes: [String] = []
    /// The service that the token is for (RFC 8707).
    var resource: String?
    /// The daemon's own if nothing is said.
    var minimumValiditySeconds: Int?
    var forceRefresh = false
    /// A user waits at a terminal and has allowed it.
    var mayOpenPage = false
    /// What is at the URL says where the token goes on to, so that only a URL counts that the user has named.
    var wantsConfiguredURL = false
    /// Milliseconds after which the daemon is given up; nil for its own longest wait. Some programs end a helper that takes longer than they say,
    /// and its sentence with it.
    var patience: Int64?
}

/// A token, and what a caller may be told of it.
struct HelperToken: Equatable {
    var secret: Secret
    /// Seconds since 1970; nil if the provider does not say.
    var expiry: Int64?
    var tokenType: String
    /// The provider, or the name that the question had for it.
    var providerID: String
    /// The account at the provider.
    var uid: String
    /// The name in the configuration, if it is known.
    var account: String?
    /// The configured URL that matched, where a URL was asked about: the token is for what lies below it.
    var prefix: String?
}

/// What a helper has to say. No protocol decides for itself what an error of the daemon means.
///
/// A sentence is one line, without a secret.
enum HelperAnswer: Equatable {
    case token(HelperToken)
    /// No account is meant: the helper that the caller asks next has its turn.
    case nothing(String)
    /// Only the user can bring the token back. The sentence names the command to run.
    case signInNeeded(String)
    /// The account is there; its token is not available now: the provider is down, the store is locked, several accounts fit.
    case unavailable(String)
    /// Nobody could be asked, so whether an account is meant is not known.
    case noDaemon(String)

    /// How a helper ends whose protocol has no word for it, for scripts.
    var status: CommandStatus {
        switch self {
        case .token: .done
        case .nothing, .unavailable: .failed
        case .signInNeeded: .signInNeeded
        case .noDaemon: .daemonUnreachable
        }
    }
}
