import Glibc

/// What the two output streams are good for.
struct Terminal: Equatable, Sendable {
    /// Words for a person may move and be coloured.
    var isInteractive: Bool
    /// Results go to a person's eyes, not into a pipe.
    var showsResults: Bool
    /// Words go to a person's eyes, on whatever terminal.
    var showsWords: Bool
    var hasColour: Bool
    /// How many columns words have; nil where they go to no terminal, or to one that does not say.
    var width: Int?

    /// - Parameters:
    ///   - width: of standard error.
    ///   - environment: `NO_COLOR` (no-color.org: any value but the empty one) and `TERM` count.
    init(standardErrorIsTerminal: Bool, standardOutputIsTerminal: Bool, width: Int? = nil, environment: [String: String]) {
        let isDumb = environment["TERM"] == "dumb"
        isInteractive = standardErrorIsTerminal && !isDumb
        showsResults = standardOutputIsTerminal
        showsWords = standardErrorIsTerminal
        self.width = width
        hasColour = standardErrorIsTerminal && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    }

    static func current(environment: [String: String]) -> Terminal {
        Terminal(
            standardErrorIsTerminal: isatty(STDERR_FILENO) == 1, standardOutputIsTerminal: isatty(STDOUT_FILENO) == 1,
            width: columns(of: STDERR_FILENO), environment: environment)
    }

    /// How many columns standard output has; nil where it is no terminal, or one that does not say.
    static var columns: Int? { columns(of: STDOUT_FILENO) }

    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Of results, which go to standard output.
    var times: TimeText { .current(isTerminal: showsResults) }
    /// Of words, which go to standard error.
    var timesOfWords: TimeText { .current(isTerminal: showsWords) }

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

/// One line on standard error that says where things stand, moving while it waits. Nothing at all off a terminal.
struct StatusLine {
    static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    /// Milliseconds between two frames: smooth enough, and cheap.
    static let interval: Int32 = 100

    private let terminal: Terminal
    private var frame = 0
    private var isShown = false

    init(terminal: Terminal) { self.terminal = terminal }

    /// Draws the next frame over the last.
    mutating func draw(_ text: String) {
        guard terminal.isInteractive, !StandardError.isQuiet else { return }
        StandardError.write("\r\u{1B}[K" + terminal.paint(Self.frames[frame], .yellow) + " " + text)
        frame = (frame + 1) % Self.frames.count
        isShown = true
    }

    /// Clears the line, so that another text can stand there.
    mutating func clear() {
        guard isShown else { return }
        StandardError.write("\r\u{1B}[K")
        isShown = false
    }
}
