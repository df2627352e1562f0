import Glibc

/// A completion script's request for names, in the words that the argument parser gives it:
///
///     postern ---completion COMMAND… -- ARGUMENT INDEX CURSOR WORD…
///
/// The user is waiting after pressing TAB. So the request bypasses the argument parser, which would create all commands to find the one
/// argument.
struct CompletionQuestion {
    /// Nil if the cursor is outside the word, where there is nothing to offer.
    private let completion: NameCompletion?
    private let words: [String]
    private let index: Int
    private let prefix: String

    /// The first word of such a request.
    static let word = "---completion"

    /// - Parameter arguments: without the name of the program.
    /// - Returns: nil for requests that the argument parser has to answer.
    init?(_ arguments: [String]) {
        guard arguments.first == Self.word, let dashes = arguments.firstIndex(of: "--"), arguments.count > dashes + 3,
            let index = Int(arguments[dashes + 2]), let cursor = Int(arguments[dashes + 3])
        else { return nil }
        let words = arguments[(dashes + 4)...]
        let word = words.last ?? ""
        guard (0...word.utf8.count).contains(cursor) else {
            // The argument parser would trap on it.
            (completion, self.words, self.index, prefix) = (nil, [], 0, "")
            return
        }
        guard let completion = Self.completion(of: arguments[dashes + 1], in: arguments[1..<dashes]) else { return nil }
        (self.completion, self.words, self.index, prefix) = (completion, Array(words), index, String(word.prefix(cursor)))
    }

    /// Whether the cursor is outside the word.
    var isNowhere: Bool { completion == nil }

    func answer() throws(CommandFailure) {
        guard let completion else { return }
        var names = completion.offered(words, index, prefix)
        // The argument parser's script for zsh removes it again.
        if getenv("SAP_SHELL").map({ String(cString: $0) }) == "zsh" { names.append(" ") }
        try StandardOutput.write(lines: names)
    }

    /// An argument is requested by its position or its name. Each is listed with its command, too; a test keeps the two consistent.
    private static func completion(of argument: String, in command: ArraySlice<String>) -> NameCompletion? {
        var words = ""
        for word in command { words += word + " " }
        return switch words + argument {
        case "attach positional@0": .attachableSessions
        case "cancel positional@0": .sessions
        case "exec --env", "exec --file": .tokenVariables
        case "link positional@0", "reauthenticate positional@0", "sign-in positional@0": .waysToSignIn
        case "provider check positional@0", "provider show positional@0", "setup positional@0", "url-scheme register --provider": .providers
        case "revoke --account", "token --account": .accounts
        case "revoke positional@0", "sasl positional@1", "token positional@0": .tokenOwners
        case "second-factor remove positional@0": .secondFactors
        case "unlink positional@0": .linkedWays
        default: nil
        }
    }
}
