import Glibc

/// Lines for a person on standard error. Who never reads them must not hold up anything, so what does not fit is dropped.
public struct ErrorOutput: Sendable {
    private let program: String
    private let descriptor: Int32

    public init(program: String = "postern-mcp") { self.init(program: program, descriptor: STDERR_FILENO) }

    init(program: String = "postern-mcp", descriptor: Int32) {
        self.program = program
        self.descriptor = descriptor
    }

    public func tell(_ sentence: String) {
        // A terminal must not obey what a server wrote into a sentence.
        let text = sentence.unicodeScalars.map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? " " : $0 }
        var line = Array("\(program): ".utf8)
        line += String(String.UnicodeScalarView(text)).utf8.prefix(Self.longest)
        line.append(0x0A)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A pipe that can be written to has room for a page.
        guard poll(&waiting, 1, 0) == 1, waiting.revents == Int16(POLLOUT) else { return }
        _ = write(descriptor, line, line.count)
    }

    private static let longest = 2048
}
