@testable import ProgramOptions

/// A program with an option of each kind.
enum Example {
    static let config = ProgramOption("config", .file, named: "file", help: "The configuration file.")
    static let place = ProgramOption("place", .directory, named: "directory", help: "Where it keeps [what it] has: a directory's name.")
    static let listen = ProgramOption("listen", .text, named: "address", help: "May be given again.", isRepeating: true) {
        $0.contains(":") ? nil : "give ADDRESS:PORT"
    }
    static let level = ProgramOption("level", .oneOf(["low", "high"]), help: "low or high.")
    static let seconds = ProgramOption("seconds", .integer(1...60), help: "How long.", default: "30")
    static let check = ProgramOption("check", help: "Only looks.")
    static let secretly = ProgramOption("secretly", .text, isHidden: true)

    static let table = OptionTable(
        program: "exam-ple", abstract: "Shows how it is done.",
        discussion: """
            A line that is longer than the eighty columns of a terminal of the usual width, and so goes on in the next one.

              exam-ple --config a-line-that-is-indented-stays-as-it-is --level low --seconds 30 --check --place /tmp
            """,
        version: "1.2.3", options: [config, place, listen, level, seconds, check, secretly])

    static func values(_ arguments: String...) -> OptionValues? {
        if case .values(let values) = table.read(arguments) { values } else { nil }
    }

    static func text(_ arguments: String...) -> String? {
        if case .text(let text) = table.read(arguments) { text } else { nil }
    }

    /// The first line of what is written, without the program's name.
    static func refusal(_ arguments: [String]) -> String? {
        guard case .refusal(let text) = table.read(arguments) else { return nil }
        return text.split(separator: "\n").first.map { String($0.dropFirst("exam-ple: ".count)) }
    }
}
