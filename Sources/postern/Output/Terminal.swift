import Glibc

/// What the two output streams are good for.
struct Terminal: Equatable, Sendable {
    /// Words for a person may move and be coloured.
    var isInteractive: Bool
    /// Results go to a person's eyes, not into a pipe.
    var showsResults: Bool
    var hasColour: Bool

    /// - Parameters:
    ///   - environment: `NO_COLOR` (no-color.org: any value but the empty one) and `TERM` count.
    init(standardErrorIsTerminal: Bool, standardOutputIsTerminal: Bool, environment: [String: String]) {
        let isDumb = environment["TERM"] == "dumb"
        isInteractive = standardErrorIsTerminal && !isDumb
        showsResults = standardOutputIsTerminal
        hasColour = standardErrorIsTerminal && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    }

    static func current(environment: [String: String]) -> Terminal {
        Terminal(
            standardErrorIsTerminal: isatty(STDERR_FILENO) == 1, standardOutputIsTerminal: isatty(STDOUT_FILENO) == 1,
            environment: environment)
    }

    /// For what goes to standard output: its colour depends on where that goes.
    var forResults: Terminal {
        var terminal = self
        terminal.hasColour = hasColour && showsResults
        return terminal
    }

    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
        case faint = "2"
    }

    func paint(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
