extension OptionTable {
    /// The usual width of a terminal.
    private static let width = 80
    /// The column of the options' descriptions.
    private static let column = 26

    func help(withHidden: Bool = false) -> String {
        var lines = Self.filled("OVERVIEW: " + abstract) + [""]
        for line in discussion.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            lines += line.utf8.first == UInt8(ascii: " ") || line.isEmpty ? [line] : Self.filled(line)
        }
        lines += ["", usage("USAGE", withHidden: withHidden), "", "OPTIONS:"]
        for option in options where withHidden || !option.isHidden { lines += Self.entry(option.synopsis, option.meaning) }
        if version != nil { lines += Self.entry("--version", "Show the version.") }
        lines += Self.entry("-h, --help", "Show help information.") + [""]
        return lines.map { $0 + "\n" }.joined()
    }

    func usage(_ heading: String = "Usage", withHidden: Bool = false) -> String {
        let words = options.filter { withHidden || !$0.isHidden }.map { $0.isRepeating ? "[\($0.synopsis) ...]" : "[\($0.synopsis)]" }
        return "\(heading): \(program) " + words.joined(separator: " ")
    }

    private static func entry(_ synopsis: String, _ meaning: String) -> [String] {
        let space = String(repeating: " ", count: column)
        var lines = filled(meaning, width: width - column).map { space + $0 }
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
    private static func filled(_ text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        for word in text.unicodeScalars.split(separator: " ").map(Substring.init) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension ProgramOption {
    var meaning: String { fallback.map { "\(help) (default: \($0))" } ?? help }
}
