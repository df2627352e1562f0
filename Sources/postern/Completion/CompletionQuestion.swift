import Glibc

/// What a completion script asks for names, in the words that the argument parser gives it:
///
///     postern ---completion COMMAND… -- ARGUMENT INDEX CURSOR WORD…
///
/// Somebody waits with a finger on TAB. So it goes past the argument parser, which would make all commands to find the one argument.
struct CompletionQuestion {
    /// Nil for a cursor that is nowhere in the word, for which there is nothing to offer.
    private let completion: NameCompletion?
    private let words: [String]
    private let index: Int
    private let prefix: String

    /// - Parameter arguments: without the name of the program.
    /// - Returns: nil for whatever the argument parser is to answer.
    init?(_ arguments: [String]) {
        guard arguments.first == "---completion", let dashes = arguments.firstIndex(of: "--"), arguments.count > dashes + 3,
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

    /// Whether the cursor is nowhere in the word.
    var isNowhere: Bool { completion == nil }

    func answer() throws(CommandFailure) {
        guard let completion else { return }
        var names = completion.offered(words, index, prefix)
        // What the argument parser's script for zsh takes off again.
        if getenv("SAP_SHELL").map({ String(cString: $0) }) == "zsh" { names.append(" ") }
        try StandardOutput.write(lines: names)
    }

    /// An argument is asked for by its place or its name. Each stands with its command, too; a test holds the two together.
    private static func completion(of argument: String, in command: ArraySlice<String>) -> NameCompletion? {
        var words = ""
        for word in command { words += word + " " }
        return switch words + argument {
        case "attach positional@0", "cancel positional@0": .sessions
        case "exec --env", "exec --file": .tokenVariables
        case "link positional@0", "reauthenticate positional@0", "sign-in positional@0", "unlink positional@0": .waysToSignIn
        case "provider check positional@0", "provider show positional@0", "setup positional@0", "url-scheme register --provider": .providers
        case "revoke --account", "token --account": .accounts
        case "revoke positional@0", "sasl positional@1", "token positional@0": .tokenOwners
        case "second-factor remove positional@0": .secondFactors
        default: nil
        }
    }
}
