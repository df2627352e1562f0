/// A word on the command line of a program that has several commands: a command, or a group of them.
public protocol CommandWord: SendableMetatype {
    static var name: String { get }
    /// Other names of it.
    static var aliases: [String] { get }
    static var abstract: String { get }
    /// Below the abstract. Indented lines are kept, others are filled.
    static var discussion: String { get }
    /// In place of what follows from the options.
    static var usage: String? { get }
    /// What is below a group; empty for a command.
    static var sections: [CommandSection] { get }
    /// Commands of other programs that a group does not have.
    static var guesses: [CommandGuess] { get }
    /// Without those that every program has.
    static var options: [ProgramOption] { get }
    /// The type itself; nil for a group. A cast would look through all conformances.
    static var command: (any ProgramCommand.Type)? { get }
}

extension CommandWord {
    public static var aliases: [String] { [] }
    public static var usage: String? { nil }
    public static var sections: [CommandSection] { [] }
    public static var guesses: [CommandGuess] { [] }
    public static var options: [ProgramOption] { [] }
    public static var command: (any ProgramCommand.Type)? { nil }
}

/// What people type first who know another program, and the command that does it here.
public struct CommandGuess: Sendable {
    /// Each of one word, or of two.
    let words: [String]
    /// Completes "there is no command 'auth login'; ".
    let sentence: String

    public init(_ words: [String], _ sentence: String) {
        self.words = words
        self.sentence = sentence
    }
}

/// Commands that stand together in the help.
public struct CommandSection: Sendable {
    /// Nil if there is only one section.
    let title: String?
    let commands: [any CommandWord.Type]

    public init(_ title: String, _ commands: [any CommandWord.Type]) {
        self.title = title
        self.commands = commands
    }

    public init(_ commands: [any CommandWord.Type]) {
        title = nil
        self.commands = commands
    }
}

/// A command of a program. Its initialiser is the only place that knows its options: it runs once to learn what they are, and again to
/// read them.
public protocol ProgramCommand: CommandWord {
    init(_ line: inout OptionReader)
    /// Checks what no option can know alone.
    func validate() throws(UsageError)
    /// - Returns: the exit status.
    func run() -> Int32
}

extension ProgramCommand {
    public static var options: [ProgramOption] {
        var reader = OptionReader()
        _ = Self(&reader)
        return reader.options
    }

    public static var command: (any ProgramCommand.Type)? { self }

    public func validate() throws(UsageError) {}
}

/// What is wrong with a command line.
public struct UsageError: Error {
    public let sentence: String
    /// The option that is meant, whose help is shown as well.
    let option: ProgramOption?

    public init(_ sentence: String) { self.init(sentence, of: nil) }

    init(_ sentence: String, of option: ProgramOption?) {
        self.sentence = sentence
        self.option = option
    }
}

#if compiler(<6.2)
/// Part of the standard library from Swift 6.2 on; before, every type of types was sendable.
public protocol SendableMetatype {}
#endif
