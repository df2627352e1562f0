import PosternClient

/// The names that a shell offers at TAB. Each time they are asked for in a process of its own, and on any error there are none.
enum NameCompletion {
    /// What can be signed in to: a provider, an account of the configuration, or neither of both.
    case waysToSignIn
    /// Whose token can be obtained.
    case tokenOwners
    /// `NAME=ACCOUNT`: the account, once the variable has its name.
    case tokenVariables
    /// Of the current user of the app that stands on the command line.
    case secondFactors
    case providers
    /// Configured names, and identifiers of what is stored.
    case accounts
    case sessions

    /// - Parameters:
    ///   - words: the command line.
    ///   - index: of the word that is to be completed.
    ///   - prefix: what stands before the cursor in that word.
    func offered(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        switch self {
        case .waysToSignIn:
            let list = Self.list
            return Self.offered(
                list.providers + list.accounts + list.unreadyProviders + [SignInWay.passwordID, SignInWay.anonymousID], prefix)
        case .tokenOwners:
            let list = Self.list
            return Self.offered(list.providers + list.accounts, prefix)
        case .tokenVariables:
            // Of fish, which narrows down what it is offered by itself, the prefix is always empty.
            let word = prefix.isEmpty && words.indices.contains(index) ? words[index] : prefix
            guard let equals = word.firstIndex(of: "=") else { return [] }
            let list = Self.list
            return Self.offered((list.providers + list.accounts).map { word[...equals] + $0 }, prefix)
        case .secondFactors:
            let app = words.firstIndex(of: "--app").flatMap { words[($0 + 1)...].first } ?? "default"
            return Self.offered(Self.ask(Interface.GetCurrentUser(app: app))?.user?.secondFactors.map(\.uid) ?? [], prefix)
        case .providers:
            let list = Self.list
            return Self.offered(list.providers + list.unreadyProviders, prefix)
        case .accounts:
            let stored = Self.ask(Interface.ListCredentials())?.credentials.map(\.uid) ?? []
            return Self.offered(Self.list.accounts + stored, prefix)
        case .sessions:
            return Self.offered(Self.ask(Interface.ListSessions())?.sessions.map(\.sessionID) ?? [], prefix)
        }
    }

    private static var file: NamesFile? { NamesFile(environment: ProcessEnvironment.current) }
    private static var list: NameList { file?.list ?? NameList() }

    /// A daemon that does not run is not started for it, and one that does not answer is not waited for.
    private static func ask<Parameters: MethodParameters>(_ parameters: Parameters) -> Parameters.Reply? {
        guard file?.isDaemonRunning == true, let connection = try? PosternConnection() else { return nil }
        defer { connection.close() }
        return try? connection.call(parameters, timeoutMilliseconds: 1000)
    }

    /// What can stand on a command line as it is, in every shell.
    ///
    /// Some of it is the word of a provider, such as the identifier of an account, and bash expands what it is offered: a command substitution
    /// in it would be run. So nothing goes out but what means nothing to any shell, and no option either.
    static func offered(_ words: [String], _ prefix: String) -> [String] {
        words.filter { word in
            word.hasPrefix(prefix) && !word.isEmpty && !word.hasPrefix("-")
                && word.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "._@+:/=,%-".utf8.contains(byte)
                    }
                }
        }
    }
}
