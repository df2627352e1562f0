import Glibc
import PosternInterface

/// Shows the user the address of a page that no browser shows, or the code to type on another device, in the calls that wait for the end of
/// a sign-in and return no events.
struct PageNotice {
    /// Only the caller opens the page, so its address is shown at once.
    private let isTheirs: Bool
    private var isTold = false
    private var toldCode: String?

    init(asked presentation: Interface.SignIn.Presentation) { isTheirs = presentation == .client }

    /// Whether a person is likely to read what is written. Any of the three will do: the others may be redirected at a terminal, too.
    static var isAttended: Bool { [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 } }

    /// - Returns: the lines to write; none if a browser shows the page, or if they have already been written.
    mutating func lines(for event: SignInEvent) -> [String] {
        let page = pageLine(for: event)
        // The command has the other ways: a forwarded port, a pasted answer, a code.
        let other = page == nil || event.pageProblem == nil ? nil : "with a browser on another machine: postern attach \(event.sessionID)"
        return [page, other, codeLine(for: event)].compactMap(\.self)
    }

    private mutating func pageLine(for event: SignInEvent) -> String? {
        guard !isTold, let url = event.authorizationURL else { return nil }
        guard event.pageProblem != nil || isTheirs else { return nil }
        isTold = true
        let reason = event.pageProblem.map { "no browser shows the page (\($0)); " } ?? ""
        return reason + "open this page to sign in: " + url
    }

    /// A code that arrives while a browser shows the page belongs to another caller, who requested it.
    private mutating func codeLine(for event: SignInEvent) -> String? {
        guard let page = event.verificationURI, let code = event.userCode, code != toldCode else { return nil }
        guard event.authorizationURL == nil || isTold else { return nil }
        toldCode = code
        return "open \(page) on any device and type this code there to sign in: \(code)"
    }

    static func write(_ line: String) {
        // Whatever text a provider or the daemon sent, no control characters reach the terminal.
        var bytes = Array(line.utf8).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        bytes.append(UInt8(ascii: "\n"))
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
