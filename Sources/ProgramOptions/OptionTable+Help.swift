extension OptionTable {
    /// That of a terminal, if nothing else is known.
    static let usualWidth = 80
    /// The column of the options' descriptions.
    private static let column = 26

    func help(width: Int = usualWidth, withHidden: Bool = false) -> String {
        var lines = Self.filled("OVERVIEW: " + abstract, width) + [""]
        if !discussion.isEmpty {
            for line in discussion.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
                lines += line.utf8.first == UInt8(ascii: " ") || line.isEmpty ? [line] : Self.filled(line, width)
            }
            lines.append("")
        }
        lines += Self.filled(usage(withHidden: withHidden), width, first: "USAGE: ", further: "    ")
        let all = options.filter { withHidden || !$0.isHidden }
        let arguments = all.filter { !$0.isNamed }
        if !arguments.isEmpty { lines += ["", "ARGUMENTS:"] + arguments.flatMap { Self.entry($0.synopsis, $0.meaning, width) } }
        lines += ["", "OPTIONS:"]
        for option in all where option.isNamed {
            lines += Self.entry((option.letter.map { "-\($0), " } ?? "") + option.synopsis, option.meaning, width)
        }
        if version != nil { lines += Self.entry("--version", "Show the version.", width) }
        lines += Self.entry("-h, --help", "Show help information.", width)
        for section in sections {
            lines += ["", (section.title.map { $0.uppercased() + " " } ?? "") + "SUBCOMMANDS:"]
            lines += section.commands.flatMap { Self.entry(([$0.name] + $0.aliases).joined(separator: ", "), $0.abstract, width) }
        }
        if sections.isEmpty {
            lines.append("")
        } else {
            lines += ["", "  See '\(([program, "help"] + words).joined(separator: " ")) <subcommand>' for detailed help."]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Its parts, each of which stays on one line.
    func usage(withHidden: Bool = false) -> [String] {
        if let ownUsage { return ownUsage.unicodeScalars.split(separator: " ").map { String($0) } }
        return [path] + (sections.isEmpty ? options.filter { withHidden || !$0.isHidden }.map(\.usage) : ["<subcommand>"])
    }

    private static func entry(_ synopsis: String, _ meaning: String, _ width: Int) -> [String] {
        let space = String(repeating: " ", count: column)
        var lines = filled(meaning, max(width, column + 20) - column).map { space + $0 }
        let head = "  " + synopsis
        // At least one space between the two.
        if head.count < column, let first = lines.first {
            lines[0] = head + first.dropFirst(head.count)
        } else {
            lines.insert(head, at: 0)
        }
        return lines
    }

    /// The words in lines of the given width.
    private static func filled(_ text: String, _ width: Int) -> [String] {
        filled(text.unicodeScalars.split(separator: " ").map { String($0) }, width)
    }

    /// - Parameters:
    ///   - first: before the first line.
    ///   - further: before the others.
    private static func filled(_ parts: [String], _ width: Int, first: String = "", further: String = "") -> [String] {
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + 1 + part.count <= width {
                lines[lines.count - 1] = last + " " + part
            } else {
                lines.append((lines.isEmpty ? first : further) + part)
            }
        }
        return lines
    }
}

extension ProgramOption {
    var meaning: String { fallback.map { "\(help) (default: \($0))" } ?? help }
}
