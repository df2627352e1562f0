import Glibc
import PosternClient

/// Asks the user at the terminal. Questions are written to standard error, so that the result can be piped.
struct Prompt {
    private let interrupts: Interrupts

    /// Nil if the user cannot be asked: standard input or standard error is not a terminal, or another command has it.
    init?(interrupts: Interrupts) {
        guard Self.mayAsk else { return nil }
        self.interrupts = interrupts
    }

    /// Whether the user can be asked.
    static var mayAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && PasteInput().mayBring }

    func say(_ lines: String...) {
        for line in lines { StandardError.tell(line) }
    }

    /// - Returns: without surrounding blanks; may be empty.
    func line(_ question: String) throws -> String {
        ask(question)
        return PastedLines.trimmed(try answer())
    }

    /// The input is hidden, and returned unchanged.
    func secret(_ question: String) throws -> String {
        guard let typing = HiddenTyping(on: STDIN_FILENO) else {
            throw CommandFailure("this terminal cannot hide what is typed", advice: "give the password on standard input")
        }
        defer { typing.end() }
        ask(question)
        return try answer()
    }

    func isYes(_ question: String, byDefault: Bool) throws -> Bool {
        forgetWhatWasTyped()
        while true {
            let answer = try line(question + (byDefault ? " [Y/n]" : " [y/N]"))
            if let isYes = YesNo.read(answer, byDefault: byDefault) { return isYes }
            say("Type y for yes or n for no.")
        }
    }

    /// Lists the options. Enter alone chooses the first if it is the usual one; otherwise none, and the question is repeated.
    ///
    /// - Returns: nil for a no.
    func choice(_ question: String, among options: [String], firstIsUsual: Bool = false) throws -> Int? {
        for (index, option) in options.enumerated() { say("  \(index + 1)  \(option)") }
        let range = options.count > 1 ? "1–\(options.count)" : "1"
        forgetWhatWasTyped()
        while true {
            let answer = try line(question + (firstIsUsual ? " [\(range), Enter: 1, n to cancel]" : " [\(range), n to cancel]"))
            if firstIsUsual, answer.isEmpty { return 0 }
            if let number = Int(answer), (1...options.count).contains(number) { return number - 1 }
            if YesNo.read(answer, byDefault: true) == false { return nil }
            // The beginning of one alone, such as a provider's name.
            let called = options.indices.filter { answer.count > 1 && options[$0].lowercased().begins(with: answer.lowercased()) }
            if called.count == 1 { return called[0] }
            say(options.count > 1 ? "Type a number from 1 to \(options.count), or n." : "Type 1, or n.")
        }
    }

    /// Enter, pressed while waiting for a page, must not answer a question that was asked later. Done once for a question: after an invalid
    /// answer, the next line is the next answer.
    private func forgetWhatWasTyped() {
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// Wraps the question to fit the terminal, with space for the cursor.
    private func ask(_ question: String) {
        let width = Terminal.columns(of: STDERR_FILENO).map { $0 - 2 }
        StandardError.write(Prose.lines(of: question, width: width).joined(separator: "\n") + " ")
    }

    private func answer() throws -> String {
        guard let line = try InputLine.read(from: STDIN_FILENO, interrupts: interrupts) else {
            StandardError.write("\n")
            throw CommandFailure("nothing was answered", status: .declined)
        }
        return line
    }
}

enum YesNo {
    /// Nil if it is neither.
    static func read(_ answer: String, byDefault: Bool) -> Bool? {
        switch answer.lowercased() {
        case "": byDefault
        case "y", "yes": true
        case "n", "no": false
        default: nil
        }
    }
}

/// A terminal that hides what is typed until it is restored.
struct HiddenTyping {
    private let descriptor: Int32
    private var before = termios()

    /// Nil if the terminal cannot do this: then no secret may be typed.
    init?(on descriptor: Int32) {
        self.descriptor = descriptor
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // Echoes only the end of the line: otherwise the next text would continue on this one.
        hidden.c_lflag |= tcflag_t(ECHONL | ICANON)
        // After Ctrl-Z the shell would have a terminal that hides its input. Zero is _POSIX_VDISABLE on Linux.
        withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VSUSP)] = 0 }
        // What was typed before the question is not its answer, and was visible.
        guard tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { return nil }
    }

    func end() {
        var before = before
        tcsetattr(descriptor, TCSADRAIN, &before)
    }
}

/// One line of input, without its line feed.
enum InputLine {
    /// In bytes; a terminal gives no longer line, and no answer here is as long.
    static let limit = 4095

    /// Reads no further than the line: the rest may be for another program.
    ///
    /// - Returns: nil if the input ended at once.
    /// - Throws: ``PosternError/cancelled`` after an interrupt.
    static func read(from descriptor: Int32, interrupts: Interrupts) throws -> String? {
        var bytes: [UInt8] = []
        while true {
            try waitForInput(on: descriptor, interrupts)
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 { return bytes.isEmpty ? nil : try text(bytes) }
            if byte == 0x0A { return try text(bytes) }
            guard bytes.count < limit else { throw CommandFailure("a line is longer than \(limit) bytes", status: .wrongUsage) }
            bytes.append(byte)
        }
    }

    private static func waitForInput(on descriptor: Int32, _ interrupts: Interrupts) throws {
        while true {
            var polled = [interrupts.descriptor, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[0].revents != 0, interrupts.take() { throw PosternError.cancelled }
            if polled[1].revents != 0 { return }
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        let line = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure("a line is not UTF-8", status: .wrongUsage)
        }
        return text
    }
}
