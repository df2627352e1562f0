import Glibc

/// What a program's command line may have. Parsing, help, completion and manual all come from this one table.
///
/// For programs with a handful of options: a parser that reflects over types costs such a program a third of its size, and
/// milliseconds of its start.
public struct OptionTable: Sendable {
    public let program: String
    public let abstract: String
    /// Below the abstract. Indented lines stay as they are, others are filled.
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

    /// The program's arguments; help, a version, a completion script or what is wrong is written, and ends the process.
    public func readOrExit(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> OptionValues {
        switch read(arguments) {
        case .values(let values): return values
        case .text(let text):
            guard Self.write(text, to: STDOUT_FILENO) else { fail("the result could not be written: \(String(cString: strerror(errno)))") }
            exit(EXIT_SUCCESS)
        case .refusal(let text): exitAfterRefusal(text)
        }
    }

    /// Ends the process as for any other wrong command line.
    ///
    /// - Parameter sentence: what is wrong where only the program can judge it.
    public func refuse(_ sentence: String) -> Never { exitAfterRefusal(refusal(sentence)) }

    /// Ends the process: its work was not done, for a reason that is not its command line's.
    public func fail(_ sentence: String) -> Never {
        _ = Self.write("\(program): \(sentence)\n", to: STDERR_FILENO)
        exit(EXIT_FAILURE)
    }

    private func exitAfterRefusal(_ text: String) -> Never {
        _ = Self.write(text, to: STDERR_FILENO)
        // EX_USAGE of sysexits.h, which the Glibc module does not have.
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

/// A command line as it was read.
public enum OptionReading: Equatable, Sendable {
    case values(OptionValues)
    /// Asked for, for standard output.
    case text(String)
    /// What is wrong, and how it is put right, for standard error.
    case refusal(String)
}

/// The options that were given.
public struct OptionValues: Equatable, Sendable {
    /// By the options' names.
    var given: [String: [String]] = [:]

    public func has(_ option: ProgramOption) -> Bool { given[option.name] != nil }
    /// Of an option that is given twice the last value counts.
    public func text(_ option: ProgramOption) -> String? { given[option.name]?.last }
    public func texts(_ option: ProgramOption) -> [String] { given[option.name] ?? [] }
    /// In the option's range; its default if it is not given.
    public func integer(_ option: ProgramOption) -> Int? { (text(option) ?? option.fallback).flatMap { Int($0) } }
}
