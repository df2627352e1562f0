import Glibc

/// A terminal that does not show what is typed, until it is told to again.
struct HiddenTyping {
    private let descriptor: Int32
    private var before = termios()

    /// Nil where the terminal cannot be told so: then nothing secret may be typed.
    init?(on descriptor: Int32) {
        self.descriptor = descriptor
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // The end of the line alone: without it the next words would stand on this one.
        hidden.c_lflag |= tcflag_t(ECHONL | ICANON)
        // Stopped by Ctrl-Z, the shell would have the terminal as it is now. Zero is _POSIX_VDISABLE on Linux.
        withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VSUSP)] = 0 }
        // What was typed before the question was none of its answer, and could be seen.
        guard tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { return nil }
    }

    func end() {
        var before = before
        tcsetattr(descriptor, TCSADRAIN, &before)
    }
}
