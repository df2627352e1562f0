import ArgumentParser
import PosternClient

/// What a shell offers at TAB. Each of these is asked in its own process, and says nothing but names: on any error, none.
extension CompletionKind {
    /// What can be signed in to: a provider, an account of the configuration, or neither of both.
    static var waysToSignIn: CompletionKind {
        names { $0.providers + $0.accounts + $0.unreadyProviders + [SignInWay.passwordID, SignInWay.anonymousID] }
    }

    /// Whose token can be obtained.
    static var tokenOwners: CompletionKind { names { $0.providers + $0.accounts } }

    /// `NAME=ACCOUNT`: the account, once the variable has its name.
    static var tokenVariables: CompletionKind {
        .custom { words, index, prefix in
            // Of fish, which narrows down what it is offered by itself, the prefix is always empty.
            let word = prefix.isEmpty && words.indices.contains(index) ? words[index] : prefix
            guard let equals = word.firstIndex(of: "="), let list = Self.file?.list else { return [] }
            return Self.offered((list.providers + list.accounts).map { word[...equals] + $0 }, prefix)
        }
    }

    /// Of the current user of the app that stands on the command line.
    static var secondFactors: CompletionKind {
        .custom { words, _, prefix in
            let app = words.firstIndex(of: "--app").flatMap { words[($0 + 1)...].first } ?? "default"
            return Self.offered(Self.ask(Interface.GetCurrentUser(app: app))?.user?.secondFactors.map(\.uid) ?? [], prefix)
        }
    }

    static var providers: CompletionKind { names { $0.providers + $0.unreadyProviders } }

    /// Configured names, and identifiers of what is stored.
    static var accounts: CompletionKind {
        .custom { _, _, prefix in
            let stored = Self.ask(Interface.ListCredentials())?.credentials.map(\.uid) ?? []
            return Self.offered((Self.file?.list.accounts ?? []) + stored, prefix)
        }
    }

    static var sessions: CompletionKind {
        .custom { _, _, prefix in Self.offered(Self.ask(Interface.ListSessions())?.sessions.map(\.sessionID) ?? [], prefix) }
    }

    static var methods: CompletionKind { .list(Interface.Method.allCases.map(\.rawValue)) }

    private static func names(_ names: @escaping @Sendable (NameList) -> [String]) -> CompletionKind {
        .custom { _, _, prefix in Self.offered(names(Self.file?.list ?? NameList()), prefix) }
    }

    private static var file: NamesFile? { NamesFile(environment: ProcessEnvironment.current) }

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
