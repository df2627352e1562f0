extension OptionTable {
    /// Reads a command line without the program's name: `--name value`, `--name=value`, `-h`.
    public func read(_ arguments: [String]) -> OptionReading {
        // A request for help is always answered, whatever else is given.
        if let text = answer(to: arguments[...], width: Self.usualWidth) { return .text(text) }
        do throws(UsageError) { return .values(try values(in: arguments[...])) } catch { return .refusal(refusal(error)) }
    }

    /// - Throws: the first mistake.
    func values(in arguments: ArraySlice<String>) throws(UsageError) -> OptionValues {
        var values = OptionValues()
        var positions = options.filter { $0.form == .argument }[...]
        let others = options.first { $0.form == .allWords }
        let dashed = options.first { $0.form == .wordsBehindDashes }
        var unexpected: [String] = []
        var rest = arguments
        /// A word by its position.
        func take(_ word: String) throws(UsageError) {
            guard let option = positions.first else { return unexpected.append(word) }
            if let problem = option.fault(in: word) { throw UsageError(problem, of: option) }
            values[option] = (values[option] ?? []) + [word]
            if !option.isRepeating { positions.removeFirst() }
        }
        while let word = rest.popFirst() {
            if let others, positions.isEmpty {
                values[others] = [word] + rest
                break
            }
            if word == "--" {
                if let dashed { values[dashed] = Array(rest) } else { for word in rest { try take(word) } }
                break
            }
            if word.isOption { try takeOption(word, &rest, &values) } else { try take(word) }
        }
        if let first = unexpected.first {
            let words = unexpected.count == 1 ? "argument '\(first)'" : "arguments \(unexpected.map { "'\($0)'" }.joined(separator: ", "))"
            throw UsageError("unexpected " + words)
        }
        if let missing = options.first(where: { $0.isRequired && values[$0] == nil }) {
            throw UsageError("\(missing.isNamed ? "the option " : "")\(missing.synopsis) is missing", of: missing)
        }
        return values
    }

    private func takeOption(_ word: String, _ rest: inout ArraySlice<String>, _ values: inout OptionValues) throws(UsageError) {
        let parts = Self.parts(of: word)
        let attached = parts.count > 1 ? parts[1] : nil
        guard let option = options.first(where: { $0.isNamed(parts[0]) }) else {
            let flags = parts[0].unicodeScalars.dropFirst().map { letter in options.first { $0.letter == letter } }
            guard attached == nil, flags.allSatisfy({ $0 != nil }) else { throw unknown(parts[0]) }
            for case let flag? in flags { values[flag] = [] }
            return
        }
        guard option.takesValue else {
            if let attached { throw UsageError("\(parts[0]) takes no value, and '\(attached)' was given", of: option) }
            values[option] = [parts[0]]
            return
        }
        if option.form == .lastOption {
            let words = (attached.map { [$0] } ?? []) + rest
            guard !words.isEmpty else { throw UsageError("--\(option.name) needs a value", of: option) }
            values[option] = words
            rest = []
            return
        }
        // In `--config --check-config` the value was forgotten.
        guard let value = attached ?? (rest.first.map(\.isOption) == false ? rest.popFirst() : nil) else {
            // A word that is no option may be a misspelt one, or a value such as a client ID made at random.
            let meant = rest.first.map { isKnown($0) ? "" : "; if '\($0)' is the value, write \(parts[0])=\($0)" }
            throw UsageError("--\(option.name) needs a value" + (meant ?? ""), of: option)
        }
        if let problem = option.fault(in: value) { throw UsageError(problem, of: option) }
        values[option] = (values[option] ?? []) + [value]
    }

    /// An option's name, and what stands behind the first `=`.
    private static func parts(of word: String) -> [String] {
        word.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    }

    private func isKnown(_ word: String) -> Bool {
        options.contains { $0.isNamed(Self.parts(of: word)[0]) }
            || word.unicodeScalars.dropFirst().allSatisfy { letter in options.contains { $0.letter == letter } }
    }

    /// What is requested of the program instead of its work.
    func answer(to arguments: ArraySlice<String>, width: Int) -> String? {
        if let text = versionAlone(arguments) { return text }
        var words = arguments
        // The words of another program may look the same.
        if options.contains(where: { $0.form == .allWords }) {
            words = words.prefix(1)
            if options.count == 1, words.first != "-h", words.first != "--help" { return nil }
        }
        while let word = words.popFirst() {
            switch word {
            case "--": return nil
            case "-h", "--help": return help(width: width)
            case "--help-hidden": return help(width: width, withHidden: true)
            case "--version": if let version { return version + "\n" }
            case "--experimental-dump-help" where self.words.isEmpty: return manual
            case "--generate-completion-script" where self.words.isEmpty:
                return words.first.flatMap(CompletionShell.init).map { completionScript(for: $0) }
            default:
                let script = "--generate-completion-script="
                if self.words.isEmpty, word.utf8.starts(with: script.utf8) {
                    return CompletionShell(rawValue: String(word.dropFirst(script.count))).map { completionScript(for: $0) }
                }
                if options.contains(where: { $0.form == .lastOption && $0.isNamed(word) }) { return nil }
            }
        }
        return nil
    }

    /// `version` and `-v`, as other programs have them. With more words, `-v` would have asked for something else.
    func versionAlone(_ arguments: ArraySlice<String>) -> String? {
        guard words.isEmpty, arguments.count == 1, let word = arguments.first, ["version", "-v", "-V"].contains(word) else { return nil }
        return version.map { $0 + "\n" }
    }

    // MARK: What is wrong

    /// For standard error: what is wrong, and how it is right.
    ///
    /// - Parameter width: of the terminal that it is shown on; nil if there is none. Only the usage is put into lines: programs search sentences.
    public func refusal(_ error: UsageError, width: Int? = nil) -> String {
        var text = FilledText()
        text.line("\(program): \(error.sentence)")
        if let option = error.option, !option.help.isEmpty { text.line("  \(option.synopsis)  \(option.help)") }
        text.append("Usage: ")
        text.fill(parts: usage(), width: width ?? Self.usualWidth, indent: 4)
        text.line("  See '\(path) --help' for more information.")
        return text.text
    }

    private func unknown(_ given: String) -> UsageError {
        if given == "--generate-completion-script" {
            return UsageError("--generate-completion-script takes \(CompletionShell.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let names = shown.filter(\.isNamed).flatMap(\.longNames) + (version == nil ? [] : ["--version"]) + ["--help"]
        // A prefix of an option, an option with something appended, or one that is misspelt: the dashes do not make it longer.
        let meant =
            given.count < 4
            ? nil
            : names.first { $0.utf8.starts(with: given.utf8) || given.utf8.starts(with: $0.utf8) }
                ?? Suggestion.closest(to: String(given.dropFirst(2)), among: names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
        return UsageError("there is no option '\(given)'" + (meant.map { "; did you mean '\($0)'?" } ?? ""))
    }
}

extension String {
    /// Whether it begins with a dash, and is not a dash alone, which stands for standard input.
    var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}

extension ProgramOption {
    /// Why the value is refused.
    fileprivate func fault(in text: String) -> String? {
        let subject = isNamed ? "--\(name) '\(text)'" : "the \(valueName) '\(text)'"
        if text.isEmpty, let ifEmpty { return "--\(name) \(ifEmpty)" }
        switch value {
        case .none: return nil
        case .oneOf(let words):
            return words.contains(text) ? nil : "\(subject): give one of \(words.joined(separator: ", "))"
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else {
                return "\(subject): give a number from \(range.lowerBound) to \(range.upperBound)"
            }
        case .text, .file, .directory, .offered: break
        }
        return problem(text).map { "\(subject): \($0)" }
    }
}
