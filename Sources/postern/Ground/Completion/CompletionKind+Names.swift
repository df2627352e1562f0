import ArgumentParser
import PosternClient

extension CompletionKind {
    static var waysToSignIn: CompletionKind { names(.waysToSignIn) }
    static var linkedWays: CompletionKind { names(.linkedWays) }
    static var tokenOwners: CompletionKind { names(.tokenOwners) }
    static var tokenVariables: CompletionKind { names(.tokenVariables) }
    static var secondFactors: CompletionKind { names(.secondFactors) }
    static var providers: CompletionKind { names(.providers) }
    static var accounts: CompletionKind { names(.accounts) }
    static var attachableSessions: CompletionKind { names(.attachableSessions) }
    static var sessions: CompletionKind { names(.sessions) }

    static var methods: CompletionKind { .list(Interface.Method.allCases.map(\.rawValue)) }

    private static func names(_ completion: NameCompletion) -> CompletionKind {
        .custom { words, index, prefix in completion.offered(words, index, prefix) }
    }
}
