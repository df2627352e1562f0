extension OptionTable {
    /// That of a terminal, if nothing else is known.
    static let usualWidth = 80

    func help(width: Int = usualWidth, withHidden: Bool = false) -> String {
        var help = FilledText()
        help.paragraphs("OVERVIEW: " + abstract, width: width)
        help.line()
        let discussion = discussion
        if !discussion.isEmpty {
            help.paragraphs(discussion, width: width)
            help.line()
        }
        help.append("USAGE: ")
        help.fill(parts: usage(withHidden: withHidden), width: width, indent: 4)
        let all = options.filter { withHidden || !$0.isHidden }
        let arguments = all.filter { !$0.isNamed }
        if !arguments.isEmpty { help.title("ARGUMENTS:") }
        for argument in arguments { help.entry(argument.synopsis, argument.meaning, width) }
        help.title("OPTIONS:")
        for option in all where option.isNamed {
            help.entry((option.letter.map { "-\($0), " } ?? "") + option.synopsis, option.meaning, width)
        }
        if version != nil { help.entry("--version", "Show the version.", width) }
        help.entry("-h, --help", "Show help information.", width)
        for section in sections {
            help.title((section.title.map { $0.uppercased() + " " } ?? "") + "SUBCOMMANDS:")
            for type in section.commands { help.entry(type.aliases.reduce(type.name) { $0 + ", " + $1 }, type.abstract, width) }
        }
        help.line()
        if !sections.isEmpty { help.line("  See '\(words.reduce(program + " help") { $0 + " " + $1 }) <subcommand>' for detailed help.") }
        return help.text
    }

    /// Its parts, each of which stays on one line.
    func usage(withHidden: Bool = false) -> [String] {
        if let ownUsage { return ownUsage.unicodeScalars.split(separator: " ").map { String($0) } }
        guard sections.isEmpty || command != nil else { return [path, "<subcommand>"] }
        let own = options.filter { withHidden || !$0.isHidden }.map(\.usage)
        return [path] + (sections.isEmpty ? [] : ["[<subcommand>]"]) + own
    }
}

extension FilledText {
    /// The column of the options' descriptions.
    private static let description = 26

    fileprivate mutating func title(_ title: String) {
        line()
        line(title)
    }

    fileprivate mutating func entry(_ synopsis: String, _ meaning: String, _ width: Int) {
        append("  " + synopsis)
        guard !meaning.isEmpty else { return endLine() }
        // At least one space between the two.
        if column >= Self.description { endLine() }
        indent(to: Self.description)
        fill(meaning, width: max(width, Self.description + 20), indent: Self.description)
    }
}

extension ProgramOption {
    var meaning: String { fallback.map { "\(help) (default: \($0))" } ?? help }
}
