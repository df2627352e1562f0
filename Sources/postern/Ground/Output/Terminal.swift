import Glibc

/// What the two output streams support.
struct Terminal: Equatable, Sendable {
    /// Messages for the user may move and be coloured.
    var isInteractive: Bool
    /// Results are shown to a user, not sent into a pipe.
    var showsResults: Bool
    /// Messages are shown to a user, on any terminal.
    var showsWords: Bool
    var hasColour: Bool
    /// Addresses in messages can be clicked.
    var hasLinks: Bool
    /// The number of columns for messages; nil without a terminal, or if it is not known.
    var width: Int?
    /// The number of rows; nil likewise.
    var height: Int?

    /// - Parameters:
    ///   - width: that of standard error, as is `height`.
    ///   - variable: of the environment; `NO_COLOR` (no-color.org: any value but the empty one), `TERM` and `VTE_VERSION` are asked for.
    init(
        standardErrorIsTerminal: Bool, standardOutputIsTerminal: Bool, width: Int? = nil, height: Int? = nil,
        variable: (String) -> String?
    ) {
        let isDumb = variable("TERM") == "dumb"
        isInteractive = standardErrorIsTerminal && !isDumb
        showsResults = standardOutputIsTerminal
        showsWords = standardErrorIsTerminal
        hasLinks = standardErrorIsTerminal && Hyperlink.isSupported(variable: variable)
        self.width = width
        self.height = height
        hasColour = standardErrorIsTerminal && !isDumb && (variable("NO_COLOR") ?? "").isEmpty
    }

    static var current: Terminal {
        Terminal(
            standardErrorIsTerminal: isatty(STDERR_FILENO) == 1, standardOutputIsTerminal: isatty(STDOUT_FILENO) == 1,
            width: columns(of: STDERR_FILENO), height: rows(of: STDERR_FILENO), variable: ProcessEnvironment.variable)
    }

    /// The number of columns of standard output; nil if it is not a terminal, or if it is not known.
    static var columns: Int? { columns(of: STDOUT_FILENO) }

    static func columns(of descriptor: Int32) -> Int? { size(of: descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    static func rows(of descriptor: Int32) -> Int? { size(of: descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private static func size(of descriptor: Int32) -> winsize? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return size
    }

    /// For results, on standard output.
    var times: TimeText { .current(isTerminal: showsResults) }
    /// For messages, on standard error.
    var timesOfWords: TimeText { .current(isTerminal: showsWords) }

    /// For standard output, whose own kind decides on colour.
    var forResults: Terminal {
        var terminal = self
        terminal.hasColour = hasColour && showsResults
        terminal.hasLinks = hasLinks && showsResults
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

    /// The address of a page, without characters that act on the terminal, as a link if possible.
    func link(_ address: String) -> String {
        let address = address.plain
        return hasLinks ? Hyperlink.text(address) ?? address : address
    }
}

/// One line on standard error with the current state, which moves during a wait. It is written only on a terminal.
struct StatusLine {
    static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    /// Milliseconds between two frames. A wait can be long, over a slow line and on battery.
    static let interval: Int32 = 1000

    private let terminal: Terminal
    private var frame = 0
    private var isShown = false
    private var drawn: (text: String, time: Int64) = ("", 0)

    init(terminal: Terminal) { self.terminal = terminal }

    /// Draws the next frame over the last one, unless it is the same.
    mutating func draw(_ text: String, now: Int64 = MonotonicClock.milliseconds) {
        guard terminal.isInteractive, !StandardError.isQuiet else { return }
        guard !isShown || text != drawn.text || now - drawn.time >= Int64(Self.interval) else { return }
        StandardError.write("\r\u{1B}[K" + terminal.paint(Self.frames[frame], .yellow) + " " + Self.fitted(text, to: terminal.width))
        frame = (frame + 1) % Self.frames.count
        isShown = true
        drawn = (text, now)
    }

    /// A line that exceeded the width could not be redrawn. Some space is left for a key.
    static func fitted(_ text: String, to width: Int?) -> String {
        width.map { text.cut(to: max($0 - 6, 1)) } ?? text
    }

    /// A key and Enter were typed after the line, which would otherwise stay above the next.
    mutating func entered() {
        guard isShown else { return }
        StandardError.write("\u{1B}[1A\r\u{1B}[K")
        isShown = false
    }

    /// Clears the line for another text.
    mutating func clear() {
        guard isShown else { return }
        StandardError.write("\r\u{1B}[K")
        isShown = false
    }
}
