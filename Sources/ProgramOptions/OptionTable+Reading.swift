extension OptionTable {
    /// Reads a command line without the program's name: `--name value`, `--name=value`, `-h`.
    public func read(_ arguments: [String]) -> OptionReading {
        // A request for help is always answered, whatever else is given.
        if let text = question(in: arguments) { return .text(text) }
        var values = OptionValues()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "--", argument != "-" else {
                guard argument == "--", rest.isEmpty else {
                    return .refusal(refusal("unexpected argument '\(argument == "--" ? rest.first ?? "" : argument)'"))
                }
                break
            }
            let parts = argument.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            guard let option = options.first(where: { "--\($0.name)" == parts[0] }) else { return .refusal(unknown(String(parts[0]))) }
            let attached = parts.count > 1 ? String(parts[1]) : nil
            guard option.takesValue else {
                if let attached { return .refusal(refusal("--\(option.name) takes no value, and '\(attached)' was given")) }
                values.given[option.name] = []
                continue
            }
            // In `--config --check-config` the value was forgotten.
            if attached == nil, rest.first?.utf8.first == UInt8(ascii: "-") { return .refusal(missing(option)) }
            guard let value = attached ?? rest.popFirst() else { return .refusal(missing(option)) }
            if let problem = option.fault(in: value) { return .refusal(refusal(problem, of: option)) }
            values.given[option.name, default: []].append(value)
        }
        return .values(values)
    }

    /// What is requested of the program instead of its work.
    private func question(in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case "--": return nil
            case "-h", "--help": return help()
            case "--help-hidden": return help(withHidden: true)
            case "--version": if let version { return version + "\n" }
            case "--experimental-dump-help": return manual
            case "--generate-completion-script":
                guard arguments.indices.contains(index + 1), let shell = Shell(rawValue: arguments[index + 1]) else { return nil }
                return completionScript(for: shell)
            default: break
            }
        }
        return nil
    }

    // MARK: What is wrong

    func refusal(_ sentence: String, of option: ProgramOption? = nil) -> String {
        var lines = ["\(program): \(sentence)"]
        if let option, !option.help.isEmpty { lines.append("  \(option.synopsis)  \(option.help)") }
        lines += [usage(), "  See '\(program) --help' for more information."]
        return lines.map { $0 + "\n" }.joined()
    }

    private func missing(_ option: ProgramOption) -> String { refusal("--\(option.name) needs a value", of: option) }

    private func unknown(_ given: String) -> String {
        if given == "--generate-completion-script" {
            return refusal("--generate-completion-script takes \(Shell.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let shown = options.filter { !$0.isHidden }.map { "--\($0.name)" } + (version == nil ? [] : ["--version"]) + ["--help"]
        // A prefix of an option, or an option with something appended.
        let meant = given.count > 3 ? shown.first { $0.utf8.starts(with: given.utf8) || given.utf8.starts(with: $0.utf8) } : nil
        return refusal("there is no option '\(given)'" + (meant.map { "; did you mean '\($0)'?" } ?? ""))
    }
}

extension ProgramOption {
    /// Why the value is refused.
    fileprivate func fault(in text: String) -> String? {
        switch value {
        case .none: return nil
        case .oneOf(let words):
            guard !words.contains(text) else { return nil }
            return "--\(name) '\(text)': give one of \(words.joined(separator: ", "))"
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else {
                return "--\(name) '\(text)': give a number from \(range.lowerBound) to \(range.upperBound)"
            }
        case .text, .file, .directory:
            guard !text.isEmpty else { return "--\(name) must not be empty" }
        }
        return problem(text).map { "--\(name) '\(text)': \($0)" }
    }
}
