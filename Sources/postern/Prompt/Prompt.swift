import Glibc

/// Asks the person at the terminal. The questions stand on standard error, so that a result can go into a pipe.
struct Prompt {
    private let interrupts: Interrupts

    /// Nil where nobody can be asked: standard input or standard error is no terminal, or another command has it.
    init?(interrupts: Interrupts) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, PasteInput().mayBring else { return nil }
        self.interrupts = interrupts
    }

    func say(_ lines: String...) {
        for line in lines { StandardError.write(line: line) }
    }

    /// - Returns: without surrounding blanks; may be empty.
    func line(_ question: String) throws -> String {
        StandardError.write(question + " ")
        return PastedLines.trimmed(try answer())
    }

    /// What is typed is not shown, and taken as it is.
    func secret(_ question: String) throws -> String {
        guard let typing = HiddenTyping(on: STDIN_FILENO) else {
            throw CommandFailure("this terminal cannot hide what is typed", advice: "give the password by standard input")
        }
        defer { typing.end() }
        StandardError.write(question + " ")
        return try answer()
    }

    func isYes(_ question: String, byDefault: Bool) throws -> Bool {
        while true {
            let answer = try decision(question + (byDefault ? " [Y/n]" : " [y/N]"))
            if let isYes = YesNo.read(answer, byDefault: byDefault) { return isYes }
        }
    }

    /// Lists what there is; an empty answer means the first.
    ///
    /// - Returns: nil for a no.
    func choice(_ question: String, among options: [String]) throws -> Int? {
        for (index, option) in options.enumerated() { say("  \(index + 1)  \(option)") }
        while true {
            let answer = try decision(question + " [1, n for none]")
            if answer.isEmpty { return 0 }
            if let number = Int(answer), (1...options.count).contains(number) { return number - 1 }
            if YesNo.read(answer, byDefault: true) == false { return nil }
        }
    }

    /// Enter, pressed while a page was waited for, must not be a yes to a question that came later.
    private func decision(_ question: String) throws -> String {
        tcflush(STDIN_FILENO, TCIFLUSH)
        return try line(question)
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
    /// Nil for what is neither.
    static func read(_ answer: String, byDefault: Bool) -> Bool? {
        switch answer.lowercased() {
        case "": byDefault
        case "y", "yes": true
        case "n", "no": false
        default: nil
        }
    }
}
