/// A shell's request for what may stand in the place of a word:
///
///     PROGRAM ---completion zsh|fish INDEX WORD…
///     PROGRAM ---completion bash INDEX LINE WORD…
///
/// The words begin with the program's name. The word at the index ends at the cursor.
public struct CompletionRequest: Sendable {
    /// The first word of a request.
    public static let word = "---completion"

    let shell: CompletionShell
    /// The whole command line.
    public let words: [String]
    let index: Int
    /// The part of the word before the cursor; of `--option=value`, the value.
    public internal(set) var prefix: String
    /// The beginning of the word that bash regards as words of their own, and keeps.
    private(set) var kept = ""

    /// - Parameter arguments: without the program's name.
    /// - Returns: nil for words that no script sends, as those of another version.
    init?(_ arguments: [String]) {
        guard arguments.first == Self.word, arguments.count > 2, let shell = CompletionShell(rawValue: arguments[1]),
            let index = Int(arguments[2]), index > 0
        else { return nil }
        self.shell = shell
        var words = Array(arguments.dropFirst(shell == .bash ? 4 : 3))
        // The shells leave out an empty last word.
        guard index <= words.count else { return nil }
        if index == words.count { words.append("") }
        guard shell == .bash else {
            (self.words, self.index, prefix) = (words, index, words[index])
            return
        }
        let joined = Self.joined(words, index, line: arguments[3])
        (self.words, self.index, prefix, kept) = (joined.words, joined.index, joined.words[joined.index], joined.kept)
    }

    /// bash also splits a line at `=`, `:` and other signs, so that `--env NAME=ACCOUNT` is four words to it. What has no blank between it
    /// is one word.
    ///
    /// - Parameter line: up to the cursor.
    private static func joined(_ raw: [String], _ index: Int, line: String) -> (words: [String], index: Int, kept: String) {
        var words: [String] = []
        var (place, kept) = (0, "")
        var rest = Substring(line).utf8
        for (number, word) in raw.enumerated() {
            let trimmed = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") }
            let isApart = trimmed.count < rest.count || number == 0
            var piece = word
            if trimmed.starts(with: word.utf8) {
                rest = trimmed.dropFirst(word.utf8.count)
            } else if number == index, !line.isEmpty, word.utf8.starts(with: trimmed) {
                // The cursor is in it.
                piece = String(Substring(trimmed))
                rest = trimmed.dropFirst(trimmed.count)
            } else if number <= index {
                // Nothing is known of blanks.
                rest = Substring(" ").utf8
            }
            let begun = isApart || number > index ? "" : words.popLast() ?? ""
            words.append(begun + piece)
            guard number == index else { continue }
            place = words.count - 1
            kept = piece.unicodeScalars.allSatisfy { "=:@<>&|;(".unicodeScalars.contains($0) } ? begun + piece : begun
        }
        return (words, place, kept)
    }
}

/// What may stand there.
enum CompletionAnswer: Equatable {
    struct Offer: Equatable {
        var word: String
        var help = ""
    }

    case words([Offer])
    case files
    case directories

    static func offering(_ words: [String]) -> CompletionAnswer { .words(words.map { Offer(word: $0) }) }
}

extension OptionTable {
    /// What a shell's script gets; nil for words that no script sends.
    ///
    /// - Parameter arguments: without the program's name.
    public func completion(_ arguments: [String]) -> String? {
        guard let request = CompletionRequest(arguments) else { return nil }
        switch answer(to: request) {
        case .files: return "files\n"
        case .directories: return "directories\n"
        case .words(let offers):
            var lines = ["words"]
            for offer in offers where offer.word.utf8.starts(with: request.prefix.utf8) || request.kept.isEmpty {
                if request.shell == .bash {
                    lines.append(String(offer.word.utf8.dropFirst(request.kept.utf8.count)) ?? "")
                } else {
                    lines.append(offer.help.isEmpty ? offer.word : "\(offer.word)\t\(offer.help)")
                }
            }
            return lines.map { $0 + "\n" }.joined()
        }
    }

    func answer(to request: CompletionRequest) -> CompletionAnswer {
        var table = self
        var rest = request.words[1..<request.index]
        while !table.sections.isEmpty, let word = rest.first, !word.isOption {
            if let type = table.command(named: word) {
                table = table.table(of: type)
            } else if word != "help" {
                return .words([])
            }
            rest.removeFirst()
        }
        // A command may have others below it.
        guard !table.sections.isEmpty, rest.isEmpty || table.command == nil else { return table.answer(behind: rest, to: request) }
        if request.prefix.utf8.first == UInt8(ascii: "-") { return table.optionNames(request.prefix) }
        let commands = table.commands.flatMap { type in
            ([type.name] + type.aliases).map { CompletionAnswer.Offer(word: $0, help: type.abstract) }
        }
        return .words(
            (commands + [.init(word: "help", help: "Show help for a command.")]).filter { $0.word.utf8.starts(with: request.prefix.utf8) })
    }

    /// - Parameter words: those of the command before the one to complete.
    private func answer(behind words: ArraySlice<String>, to request: CompletionRequest) -> CompletionAnswer {
        var positions = options.filter { $0.form == .argument }[...]
        let others = options.contains { $0.form == .allWords }
        var rest = words
        while let word = rest.popFirst() {
            if others, positions.isEmpty { return .files }
            if word == "--" {
                if options.contains(where: { $0.form == .wordsBehindDashes }) { return .files }
                positions = positions.dropFirst(min(rest.count, positions.prefix { !$0.isRepeating }.count))
                return positions.first?.answer(to: request) ?? .words([])
            }
            guard word.isOption else {
                if positions.first?.isRepeating == false { positions.removeFirst() }
                continue
            }
            guard let option = options.first(where: { $0.isNamed(word) }), option.takesValue else { continue }
            if option.form == .lastOption { return .files }
            // Its value is the word that is asked for.
            if rest.isEmpty { return option.answer(to: request) }
            rest.removeFirst()
        }
        if others, positions.isEmpty { return .files }
        if request.prefix.utf8.first == UInt8(ascii: "-") {
            guard let equals = request.prefix.unicodeScalars.firstIndex(of: "=") else { return optionNames(request.prefix) }
            let name = String(request.prefix[..<equals])
            guard let option = options.first(where: { $0.isNamed(name) }), option.takesValue else {
                return .words([])
            }
            var inner = request
            inner.prefix = String(request.prefix.unicodeScalars[request.prefix.unicodeScalars.index(after: equals)...])
            guard case .words(let offers) = option.answer(to: inner) else { return option.answer(to: inner) }
            return .words(offers.map { .init(word: "\(name)=\($0.word)", help: $0.help) })
        }
        return positions.first?.answer(to: request) ?? optionNames(request.prefix)
    }

    private func optionNames(_ prefix: String) -> CompletionAnswer {
        var offers: [CompletionAnswer.Offer] = []
        for option in shown where option.isNamed { offers += option.longNames.map { .init(word: $0, help: option.help) } }
        if version != nil { offers.append(.init(word: "--version", help: "Show the version.")) }
        offers.append(.init(word: "--help", help: "Show help information."))
        return .words(offers.filter { $0.word.utf8.starts(with: prefix.utf8) })
    }
}

extension ProgramOption {
    fileprivate func answer(to request: CompletionRequest) -> CompletionAnswer {
        switch value {
        case .file: .files
        case .directory: .directories
        case .oneOf(let words): .offering(words.filter { $0.utf8.starts(with: request.prefix.utf8) })
        case .offered(let words): .offering(words(request))
        case .none, .text, .integer: .words([])
        }
    }
}
