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
        guard terminal.isInteractive else { return }
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
