import PosternClient
import ProgramOptions

/// The names that a shell offers at TAB. Each request has its own process; on any error no names are offered.
enum NameCompletion {
    /// What the user can sign in with: a provider, an account of the configuration, and for an app's user `password` or `anonymous`. The last
    /// cannot be linked or reauthenticated with, and only linked providers can be reauthenticated with.
    case waysToSignIn
    /// Those of the current user of the app on the command line.
    case linkedWays
    /// Providers and accounts with an obtainable token.
    case tokenOwners
    /// The accounts that are stored, each by its name or address, and the providers where they are.
    case keptAccounts
    /// `NAME=ACCOUNT`: the account, once the variable has been named.
    case tokenVariables
    /// Those of the current user of the app on the command line.
    case secondFactors
    case providers
    /// Configured names, and addresses of stored accounts, or identifiers of those without one.
    case accounts
    /// Configured names, and addresses of the person's stored accounts.
    case ownAccounts
    /// Sign-ins in progress, and those that ended with a result that nobody has fetched: a program can still attach to these.
    case attachableSessions
    /// Sign-ins in progress.
    case sessions

    func offered(_ request: CompletionRequest) -> [String] { offered(request.words, request.prefix) }

    /// - Parameters:
    ///   - words: the command line.
    ///   - prefix: the part before the cursor of the word to complete.
    func offered(_ words: [String], _ prefix: String) -> [String] {
        switch self {
        case .waysToSignIn:
            let list = Self.list
            switch words.dropFirst().first {
            case "reauthenticate"?:
                let linked = Self.linkedWays(words) ?? list.providers + [SignInWay.passwordID]
                return Self.offered(linked + list.accounts, prefix)
            case "link"?:
                return Self.offered(list.providers + list.accounts + list.unreadyProviders + [SignInWay.passwordID], prefix)
            default:
                let users = Self.givenApp(in: words) == nil ? [] : [SignInWay.passwordID, SignInWay.anonymousID]
                return Self.offered(list.providers + list.accounts + list.unreadyProviders + users, prefix)
            }
        case .linkedWays:
            return Self.offered(Self.linkedWays(words) ?? Self.list.providers + [SignInWay.passwordID], prefix)
        case .tokenOwners:
            let list = Self.list
            return Self.offered(list.providers + list.accounts, prefix)
        case .keptAccounts:
            guard let kept = Self.ask(Interface.ListCredentials())?.credentials else {
                return Self.offered(Self.list.providers + Self.list.accounts, prefix)
            }
            return Self.offered(kept.flatMap { [$0.providerID, AccountText.name(of: $0)] }.firstOfEach, prefix)
        case .tokenVariables:
            guard let equals = prefix.unicodeScalars.firstIndex(of: "=") else { return [] }
            let list = Self.list
            return Self.offered((list.providers + list.accounts).map { prefix[...equals] + $0 }, prefix)
        case .secondFactors:
            return Self.offered(Self.ask(Interface.GetCurrentUser(app: Self.app(in: words)))?.user?.secondFactors.map(\.uid) ?? [], prefix)
        case .providers:
            let list = Self.list
            return Self.offered(list.providers + list.unreadyProviders, prefix)
        case .accounts:
            let stored = Self.ask(Interface.ListCredentials())?.credentials.map(AccountText.name) ?? []
            return Self.offered((Self.list.accounts + stored).firstOfEach, prefix)
        case .ownAccounts:
            let own = Self.ask(Interface.ListCredentials())?.credentials.filter(\.isKeptByPerson).map(AccountText.name) ?? []
            return Self.offered((Self.list.accounts + own).firstOfEach, prefix)
        case .attachableSessions: return Self.offered(Self.sessions { $0.isInProgress || $0.unfetched == true }, prefix)
        case .sessions: return Self.offered(Self.sessions { $0.isInProgress }, prefix)
        }
    }

    private static func sessions(where isOffered: (Session) -> Bool) -> [String] {
        (ask(Interface.ListSessions())?.sessions ?? []).filter(isOffered).map(\.sessionID)
    }

    /// Empty if nobody is signed in; nil if the daemon does not say.
    private static func linkedWays(_ words: [String]) -> [String]? {
        ask(Interface.GetCurrentUser(app: app(in: words))).map { $0.user?.providerData.map(\.providerID) ?? [] }
    }

    private static func app(in words: [String]) -> String { givenApp(in: words) ?? "default" }

    /// The app on the command line, in either spelling.
    static func givenApp(in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if let name = word.rest(after: "--app=") { return String(name) }
            guard word == "--app" else { continue }
            return words[(index + 1)...].first
        }
        return nil
    }

    private static var file: NamesFile? { NamesFile() }
    private static var list: NameList { file?.list ?? NameList() }

    /// This neither starts a daemon nor waits for one that does not answer.
    private static func ask<Parameters: MethodParameters>(_ parameters: Parameters) -> Parameters.Reply? {
        guard file?.isDaemonRunning == true else { return nil }
        return try? PosternConnection.call(parameters, at: SocketPath.current, timeoutMilliseconds: 1000)
    }

    /// The names that can be written on a command line unquoted, in every shell.
    ///
    /// Some of them come from a provider, such as the identifier of an account, and bash expands what it is offered: it would run a command
    /// substitution. So only characters without a meaning in any shell are offered, and no options.
    static func offered(_ words: [String], _ prefix: String) -> [String] {
        words.filter { word in
            word.begins(with: prefix) && !word.isEmpty && !word.begins(with: "-")
                && word.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "._@+:/=,%-".utf8.contains($0) }
        }
    }
}

extension [String] {
    /// Without those that are there before.
    fileprivate var firstOfEach: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}

extension Session {
    fileprivate var isInProgress: Bool { state == .authorizationPending || state == .exchanging }
}

extension ProgramOption.Value {
    static var methods: Self {
        .offered { request in Interface.Method.allCases.map(\.rawValue).filter { $0.begins(with: request.prefix) } }
    }

    static func names(_ completion: NameCompletion) -> Self { .offered { completion.offered($0) } }
}
