import Glibc

/// The options that a program's command line may have. Parsing, help, completion and manual all derive from this one table.
///
/// For programs with a handful of options: a parser that reflects over types would add a third to the size of such a program, and
/// milliseconds to its start.
public struct OptionTable: Sendable {
    public let program: String
    public let abstract: String
    /// Below the abstract. Indented lines are kept, others are filled.
    public let discussion: String
    /// Nil if the program has no version of its own.
    public let version: String?
    public let options: [ProgramOption]

    public init(program: String, abstract: String, discussion: String, version: String?, options: [ProgramOption]) {
        self.program = program
        self.abstract = abstract
        self.discussion = discussion
        self.version = version
        self.options = options
    }

    /// Reads the program's arguments. Help, a version, a completion script or an error is written, and ends the process.
    public func readOrExit() -> OptionValues {
        // `CommandLine.arguments` replaces what is not UTF-8, and a file of another name would be read.
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil {
                refuse("argument \(index) is not UTF-8; a file of such a name can be given by a link to it")
            }
        }
        switch read(Array(CommandLine.arguments.dropFirst())) {
        case .values(let values): return values
        case .text(let text):
            guard Self.write(text, to: STDOUT_FILENO) else { fail("the result could not be written: \(String(cString: strerror(errno)))") }
            exit(EXIT_SUCCESS)
        case .refusal(let text): exitAfterRefusal(text)
        }
    }

    /// Ends the process as for any other wrong command line.
    ///
    /// - Parameter sentence: an error that only the program can detect.
    public func refuse(_ sentence: String) -> Never { exitAfterRefusal(refusal(sentence)) }

    /// Ends the process: its work failed, for a reason other than its command line.
    public func fail(_ sentence: String) -> Never {
        _ = Self.write("\(program): \(sentence)\n", to: STDERR_FILENO)
        exit(EXIT_FAILURE)
    }

    private func exitAfterRefusal(_ text: String) -> Never {
        _ = Self.write(text, to: STDERR_FILENO)
        // EX_USAGE of sysexits.h, which is not in the Glibc module.
        exit(64)
    }

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
    /// By the options' names.
    var given: [String: [String]] = [:]

    public func has(_ option: ProgramOption) -> Bool { given[option.name] != nil }
    /// The last value, if an option is given twice.
    public func text(_ option: ProgramOption) -> String? { given[option.name]?.last }
    public func texts(_ option: ProgramOption) -> [String] { given[option.name] ?? [] }
    /// Within the option's range; its default if it is not given.
    public func integer(_ option: ProgramOption) -> Int? { (text(option) ?? option.fallback).flatMap { Int($0) } }
}
