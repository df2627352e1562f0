import Glibc

/// The options that a program's command line may have, or that of one of its commands. Reading, help, completion and manual all derive
/// from this one table.
///
/// A parser that reflects over types would add a third to the size of a program, and milliseconds to its start.
public struct OptionTable: Sendable {
    public let program: String
    /// The words that lead to the command; empty for the program itself.
    let words: [String]
    let aliases: [String]
    public let abstract: String
    /// Below the abstract. Indented lines are kept, others are filled.
    /// Only help needs it, and a command may make it of tables.
    public var discussion: String { type?.discussion ?? givenDiscussion }
    /// Only a wrong command needs them.
    var guesses: [CommandGuess] { type?.guesses ?? [] }
    private let givenDiscussion: String
    private let type: (any CommandWord.Type)?
    /// Nil if the program has no version of its own.
    public let version: String?
    public let options: [ProgramOption]
    /// In place of what follows from the options.
    let ownUsage: String?
    /// The commands below it.
    let sections: [CommandSection]
    /// What the table is of; nil for a program without commands, and for a group.
    let command: (any ProgramCommand.Type)?

    public init(program: String, abstract: String, discussion: String, version: String?, options: [ProgramOption]) {
        self.program = program
        words = []
        aliases = []
        self.abstract = abstract
        givenDiscussion = discussion
        type = nil
        self.version = version
        self.options = options
        ownUsage = nil
        sections = []
        command = nil
    }

    /// The table of a program with commands.
    public init(of program: any CommandWord.Type, version: String) {
        self.init(of: program, program: program.name, words: [], version: version)
    }

    private init(of type: any CommandWord.Type, program: String, words: [String], version: String?) {
        self.program = program
        self.words = words
        self.version = version
        aliases = type.aliases
        abstract = type.abstract
        givenDiscussion = ""
        self.type = type
        options = type.options
        ownUsage = type.usage
        sections = type.sections
        command = type.command
    }

    /// The program and the command, as a user types them.
    var path: String { words.reduce(program) { $0 + " " + $1 } }
    var shown: [ProgramOption] { options.filter { !$0.isHidden } }
    var commands: [any CommandWord.Type] { sections.flatMap(\.commands) }

    /// One of the commands below it.
    func table(of type: any CommandWord.Type) -> OptionTable {
        OptionTable(of: type, program: program, words: words + [type.name], version: version)
    }

    /// The type of one of the commands below it.
    func command(named word: String) -> (any CommandWord.Type)? {
        for section in sections {
            for type in section.commands where type.name == word || type.aliases.contains(word) { return type }
        }
        return nil
    }

    // MARK: The process

    /// The program's arguments. One that is not UTF-8 ends the process.
    public func arguments() -> [String] {
        // `CommandLine.arguments` replaces what is not UTF-8, and a file of another name would be read.
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil {
                refuse("argument \(index) is not UTF-8; a file of such a name can be given by a link to it")
            }
        }
        return Array(CommandLine.arguments.dropFirst())
    }

    /// Reads the arguments of a program without commands. Help, a version, a completion script or an error is written, and ends the process.
    public func readOrExit() -> OptionValues {
        let arguments = arguments()
        if arguments.first == CompletionRequest.word {
            guard let answer = completion(arguments) else { exit(wrongUsage) }
            end(with: answer)
        }
        switch read(arguments) {
        case .values(let values): return values
        case .text(let text): end(with: text)
        case .refusal(let text): exitAfterRefusal(text)
        }
    }

    /// Ends the process with text that was requested.
    public func end(with text: String) -> Never {
        guard Self.write(text, to: STDOUT_FILENO) else { fail("the result could not be written: \(String(cString: strerror(errno)))") }
        exit(EXIT_SUCCESS)
    }

    /// Ends the process as for any other wrong command line.
    ///
    /// - Parameter sentence: an error that only the program can detect.
    public func refuse(_ sentence: String) -> Never { refuse(UsageError(sentence)) }

    public func refuse(_ error: UsageError) -> Never { exitAfterRefusal(refusal(error)) }

    /// Ends the process: its work failed, for a reason other than its command line.
    public func fail(_ sentence: String) -> Never {
        _ = Self.write("\(program): \(sentence)\n", to: STDERR_FILENO)
        exit(EXIT_FAILURE)
    }

    private func exitAfterRefusal(_ text: String) -> Never {
        _ = Self.write(text, to: STDERR_FILENO)
        exit(wrongUsage)
    }

    /// EX_USAGE of sysexits.h, which is not in the Glibc module.
    private var wrongUsage: Int32 { 64 }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }
}

/// The result of reading a command line.
public enum OptionReading: Equatable, Sendable {
    case values(OptionValues)
    /// Text that was requested, for standard output.
    case text(String)
    /// What is wrong and how to fix it, for standard error.
    case refusal(String)
}

/// The options that were given.
public struct OptionValues: Equatable, Sendable {
    private struct Given: Equatable {
        /// An option and an argument may have the same name.
        let isNamed: Bool
        let name: String
        var values: [String]
    }

    /// A few. A dictionary would be the first one of many programs, and the runtime then looks through all conformances.
    private var given: [Given] = []

    /// Nil if it was not given.
    subscript(_ option: ProgramOption) -> [String]? {
        get {
            for entry in given where entry.isNamed == option.isNamed && entry.name == option.name { return entry.values }
            return nil
        }
        set {
            guard let newValue else { return }
            for index in given.indices where given[index].isNamed == option.isNamed && given[index].name == option.name {
                given[index].values = newValue
                return
            }
            given.append(Given(isNamed: option.isNamed, name: option.name, values: newValue))
        }
    }

    public func has(_ option: ProgramOption) -> Bool { self[option] != nil }
    /// The last value, if an option is given twice.
    public func text(_ option: ProgramOption) -> String? { self[option]?.last }
    public func texts(_ option: ProgramOption) -> [String] { self[option] ?? [] }
    /// Within the option's range; its default if it is not given.
    public func integer(_ option: ProgramOption) -> Int? { (text(option) ?? option.fallback).flatMap { Int($0) } }
}
