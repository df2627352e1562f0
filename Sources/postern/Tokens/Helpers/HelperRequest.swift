import PosternClient

/// What another program requests, in whichever protocol.
struct HelperRequest: Equatable {
    /// The account whose token is requested.
    enum Subject: Equatable {
        /// The account that serves the URL; a user name chooses among several.
        case url(String, user: String? = nil)
        /// An account at a provider, or a named account. The URL is where the caller sends the token: the account must serve it.
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
    /// Nil for the daemon's default.
    var minimumValiditySeconds: Int?
    /// A user waits at a terminal and has permitted it.
    var mayOpenPage = false
    /// The content at the URL determines where the token is sent next, so only a URL that the user has named counts.
    var wantsConfiguredURL = false
    /// How the program is made to send the URL's path, as a sentence; nil if it has.
    var pathAdvice: String?
    /// Milliseconds to wait for the daemon; nil for its own longest wait. Some programs kill a helper after a time limit, and its error
    /// message is lost.
    var patience: Int64?
}

/// A token, with what the caller may know of it.
struct HelperToken: Equatable {
    var secret: Secret
    /// Seconds since 1970; nil if the provider does not say.
    var expiry: Int64?
    var tokenType: String
    /// The provider, or its name in the request.
    var providerID: String
    /// The account at the provider.
    var uid: String
    /// The account's name in the configuration, if known.
    var account: String?
    /// The configured URL that matched, if a URL was looked up: the token is for everything below it.
    var prefix: String?
}

/// A helper's answer. No protocol interprets the daemon's errors itself.
///
/// Each sentence is one line, without secrets.
enum HelperAnswer: Error, Equatable {
    case token(HelperToken)
    /// No account is meant: the caller should ask its next helper. `isNear` if one might have been meant: the sentence is then worth reading
    /// even where a program asks about each server that it contacts.
    case nothing(String, isNear: Bool = false)
    /// Only the user can obtain a token again. The sentence names the command to run.
    case signInNeeded(String)
    /// The account exists, but its token is not available now: the provider is down, the store is locked, several accounts match.
    case unavailable(String)
    /// The daemon cannot be reached, so it is unknown whether an account is meant.
    case noDaemon(String)

    /// The helper's exit status, for scripts, if its protocol does not define one.
    var status: CommandStatus {
        switch self {
        case .token: .done
        case .nothing, .unavailable: .failed
        case .signInNeeded: .signInNeeded
        case .noDaemon: .daemonUnreachable
        }
    }
}

extension HelperAnswer {
    /// Without a token, for a protocol that has nothing to say then: the reason on standard error.
    var inWords: HelperOutput {
        switch self {
        case .token: HelperOutput()
        case .nothing(let sentence, _), .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
            HelperOutput(words: sentence, status: status.rawValue)
        }
    }
}

extension HelperAnswer {
    /// Why there is nothing, if an account might have been meant; for a program that asks about each server that it contacts.
    var nearMiss: String? { if case .nothing(let sentence, true) = self { sentence } else { nil } }
}

extension HelperSource {
    /// - Throws: ``HelperAnswer/inWords``, if there is no token.
    func token(_ request: HelperRequest) throws(HelperOutput) -> HelperToken {
        let answer = answer(request)
        guard case .token(let token) = answer else { throw answer.inWords }
        return token
    }
}
