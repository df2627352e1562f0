/// One option or argument of a program, with all that is known of it: how it is read, and what help, completion and manual say.
public struct ProgramOption: Sendable {
    public enum Value: Sendable {
        /// An option without a value.
        case none
        case text
        case file
        case directory
        case oneOf([String])
        case integer(ClosedRange<Int>)
        /// Any text. At TAB the program itself says what there is.
        case offered(@Sendable (CompletionRequest) -> [String])
    }

    public enum Form: Sendable {
        /// `--name value`
        case option
        /// `--name word…`: all that follows is another program's.
        case lastOption
        /// A word by its position.
        case argument
        /// All words from its position on, whatever they look like: they are another program's.
        case allWords
        /// All words behind two dashes.
        case wordsBehindDashes
    }

    /// Without the two dashes; of an argument, the name of its value.
    public let name: String
    public let value: Value
    /// How the help names the value.
    public let valueName: String
    public let help: String
    /// The default, for an option whose help does not mention it.
    public let fallback: String?
    public let isRepeating: Bool
    /// For this program's own use.
    public let isHidden: Bool
    let form: Form
    let isRequired: Bool
    /// `q` of `-q`
    let letter: Unicode.Scalar?
    /// Whether `--no-name` means the opposite.
    let hasOpposite: Bool
    /// What is said of an empty value, behind the option's name; nil if it is a value, too.
    let ifEmpty: String?
    /// Why a value is refused; nil if it is accepted.
    let problem: @Sendable (String) -> String?

    public init(
        _ name: String, _ value: Value = .none, named valueName: String? = nil, help: String = "", form: Form = .option,
        default fallback: String? = nil, isRequired: Bool = false, isRepeating: Bool = false, isHidden: Bool = false,
        letter: Unicode.Scalar? = nil, hasOpposite: Bool = false, ifEmpty: String? = "must not be empty",
        problem: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.name = name
        self.value = value
        self.valueName = valueName ?? name
        self.help = help
        self.fallback = fallback
        self.isRepeating = isRepeating
        self.isHidden = isHidden
        self.form = form
        self.isRequired = isRequired
        self.letter = letter
        self.hasOpposite = hasOpposite
        self.ifEmpty = ifEmpty
        self.problem = problem
    }

    var takesValue: Bool { if case .none = value { false } else { true } }
    /// Whether it begins with dashes.
    var isNamed: Bool { form == .option || form == .lastOption }

    /// Whether a word is its name, with the two dashes. This is asked for each word and each option.
    func isNamed(_ word: String) -> Bool {
        guard isNamed, word.utf8.starts(with: "--".utf8) else { return false }
        let rest = word.utf8.dropFirst(2)
        return rest.elementsEqual(name.utf8) || hasOpposite && rest.starts(with: "no-".utf8) && rest.dropFirst(3).elementsEqual(name.utf8)
    }

    /// With the two dashes.
    var longNames: [String] { hasOpposite ? ["--\(name)", "--no-\(name)"] : ["--\(name)"] }

    /// `--listen <address:port>`, `<provider>`
    var synopsis: String {
        guard isNamed else { return "<\(valueName)>" }
        let names = hasOpposite ? "--\(name)/--no-\(name)" : "--\(name)"
        return takesValue ? "\(names) <\(valueName)>" : names
    }

    /// Its part of the usage.
    var usage: String {
        var words = isRepeating ? synopsis + " ..." : synopsis
        if form == .wordsBehindDashes { words = "-- " + words }
        return isRequired ? words : "[\(words)]"
    }
}
