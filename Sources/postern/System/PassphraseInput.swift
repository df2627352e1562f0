import Glibc

/// A passphrase from standard input: a line that a terminal does not show, or that a program writes.
enum PassphraseInput {
    /// As many bytes as the daemon takes.
    private static let longest = 1024
    /// Ctrl-C and Ctrl-\.
    private static let (interrupt, quit): (UInt8, UInt8) = (3, 28)

    /// One that is chosen now: typed twice, for nobody sees what they type.
    static func readNew() throws(CommandFailure) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try readLine() }
        StandardError.write(line: "A new store is made, which this passphrase alone will open. It cannot be had back.")
        let passphrase = try read(prompt: "New passphrase: ")
        guard try read(prompt: "Once more: ") == passphrase else {
            throw CommandFailure("the two are not the same; no store was made", advice: "try again")
        }
        return passphrase
    }

    static func read(prompt: String) throws(CommandFailure) -> String {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return try readLine() }
        var silent = settings
        // An interruption must not leave the terminal silent: it comes as a character, which ends the line.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        silent.c_cc.11 = interrupt  // VEOL
        silent.c_cc.16 = quit  // VEOL2
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure("the terminal cannot be kept from showing the passphrase: \(String(cString: strerror(errno)))")
        }
        StandardError.write(prompt)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            StandardError.write(line: "")
        }
        return try readLine()
    }

    private static func readLine() throws(CommandFailure) -> String {
        var line: [UInt8] = []
        defer { for index in line.indices { line[index] = 0 } }
        var byte: UInt8 = 0
        // Byte by byte: what comes after the line is somebody else's.
        while true {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            if byte == UInt8(ascii: "\n") { break }
            if byte == interrupt || byte == quit { throw CommandFailure("cancelled", status: .declined) }
            line.append(byte)
            guard line.count <= longest else {
                throw CommandFailure("the passphrase is longer than \(longest) bytes", status: .wrongUsage)
            }
        }
        guard !line.isEmpty else { throw CommandFailure("no passphrase was given on standard input", status: .wrongUsage) }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure("the passphrase is not in UTF-8", status: .wrongUsage)
        }
        return text
    }
}
