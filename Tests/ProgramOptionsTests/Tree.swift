@testable import ProgramOptions

/// A program with commands, which have an argument of each kind.
enum Tree: CommandWord {
    static let name = "tree"
    static let abstract = "Has commands."
    static let discussion = ""
    static let sections = [CommandSection("Mail", [Send.self]), CommandSection("Other", [Run.self, Box.self])]
    static let guesses = [CommandGuess(["post letter", "post"], "tree send sends"), CommandGuess(["version"], "tree --version")]

    static let table = OptionTable(of: Tree.self, version: "1.2.3")

    private static func reading(_ line: String) -> CommandReading {
        table.command(in: line.split(separator: " ").map { $0 == "''" ? "" : String($0) }, width: nil)
    }

    static func command(_ line: String) -> (any ProgramCommand)? { if case .command(let command) = reading(line) { command } else { nil } }
    static func text(_ line: String) -> String? { if case .text(let text) = reading(line) { text } else { nil } }
    static func refusal(_ line: String) -> String? { if case .refusal(let error, _) = reading(line) { error.sentence } else { nil } }
}

struct Send: ProgramCommand, Equatable {
    static let name = "send"
    static let aliases = ["mail"]
    static let abstract = "Send it."
    static let discussion = ""

    var to: String
    var text: String?
    var now = false
    var copies: [String] = []
    var way: String
    var isSigned = true
    var port: Int?
    var quiet = false

    init(to: String, way: String) { (self.to, self.way) = (to, way) }

    init(_ line: inout OptionReader) {
        to = line.argument("to", .offered { request in ["ada", "bob"].filter { $0.hasPrefix(request.prefix) } }, help: "Whom.")
        text = line.optionalArgument("text", .file, help: "What.")
        now = line.flag("now", help: "At once.")
        copies = line.options("copy", named: "to", help: "May be repeated.", ifEmpty: "is empty") { $0 == "eve" ? "not her" : nil }
        way = line.requiredOption("by", .oneOf(["air", "sea"]), named: "way", help: "How.")
        isSigned = line.flagWithOpposite("sign", help: "Sign it.")
        port = line.integer("port", 1...99, named: "number", help: "Where.")
        quiet = line.flag("quiet", "q", help: "Say nothing.")
    }

    func validate() throws(UsageError) {
        if now, way == "sea" { throw UsageError("by sea it takes a while") }
    }

    func run() -> Int32 { 0 }
}

struct Run: ProgramCommand {
    static let name = "run"
    static let abstract = "Run it."
    static let discussion = ""

    var browser: [String]
    var words: [String]

    init(_ line: inout OptionReader) {
        browser = line.lastOption("browser", named: "command", help: "With what.")
        words = line.wordsBehindDashes("command", help: "What.")
    }

    func run() -> Int32 { 0 }
}

enum Box: CommandWord {
    static let name = "box"
    static let abstract = "Boxes."
    static let discussion = ""
    static let sections = [CommandSection([Open.self])]
}

struct Open: ProgramCommand {
    static let name = "open"
    static let abstract = "Open it."
    static let discussion = ""

    var key: String
    var words: [String]

    init(_ line: inout OptionReader) {
        key = line.argument("key", help: "Which.")
        words = line.allWords("word", help: "What.")
    }

    func run() -> Int32 { 0 }
}
