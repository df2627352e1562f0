import Bridge
import CProcess
import Glibc
import ProgramOptions

/// `postern exec --proxy` starts this.
struct Proxy: ProgramCommand {
    static let name = "proxy"
    static let abstract = "Send a command's requests on with the authorization of accounts."
    static let discussion = """
        postern exec --proxy starts it, and writes one line of settings to its standard input. It prints a line once it answers, and ends with \
        its standard input.
        """

    init(_ line: inout OptionReader) {}

    func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // In a process group of its own, it may still write to the terminal.
        signal(SIGTTOU, SIG_IGN)
        // Everything on disk is removed by the parent.
        _ = postern_signal_at_parents_end(SIGKILL)
        let errors = ErrorOutput(program: "postern")
        do throws(ProxyServiceError) {
            let service = try ProxyService(settings: Self.line())
            Confinement.begin()
            try service.start(tell: errors.tell)
            let line = Array((service.port.map { "{\"port\":\($0)}\n" } ?? "{}\n").utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        } catch {
            errors.tell("\(error)")
            return EXIT_FAILURE
        }
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            // The parent writes nothing more; its end is the end of its side.
            if count == 0 || (count < 0 && errno != EINTR) { _exit(EXIT_SUCCESS) }
        }
    }

    private static func line() -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < ProxyService.longestSettings {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != 0x0A else { break }
            line.append(byte)
        }
        return line
    }
}
