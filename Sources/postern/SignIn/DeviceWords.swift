import PosternClient

/// A code for another device, as shown to a user.
struct DeviceWords {
    let page: String
    /// The page's address including the code.
    let complete: String?
    let code: String

    /// Nil if the event has no code.
    init?(_ event: SignInEvent) {
        guard let page = event.verificationURI, let code = event.userCode else { return nil }
        self.page = page.plain
        complete = event.verificationURIComplete?.plain
        self.code = code.plain
    }

    /// - Parameter terminal: if it is nil or can only print lines, the code is shown as text alone.
    func lines(on terminal: Terminal?) -> [String] {
        guard let terminal, terminal.isInteractive else {
            return ["Open this page on any device, and type the code \(code) there:", "", "  " + page, ""]
        }
        let rule = String(repeating: "─", count: code.count + 4)
        let hasRoom = code.count + 8 <= terminal.width ?? .max
        let frame = (hasRoom ? ["╭\(rule)╮", "│  \(terminal.paint(code, .bold))  │", "╰\(rule)╯"] : [terminal.paint(code, .bold)])
            .map { "  " + $0 }
        let told = ["Open this page on any device:", "", "  " + terminal.link(page), "", "and type this code there:", ""] + frame + [""]
        // With the text around the picture, the line with the alternatives, the one with the time limit, and the moving one.
        return told + scan(beside: told.count + 6, on: terminal)
    }

    /// Empty if the address is too long for a QR code.
    private func scan(beside words: Int, on terminal: Terminal) -> [String] {
        guard let code = QRCode(complete ?? page) else { return [] }
        guard let picture = QRText.lines(for: code, beside: words, on: terminal) else {
            return [QRText.tooSmall(for: code, beside: words), ""]
        }
        let words =
            complete == nil
            ? "Or scan the page's address with your phone:"
            : "Or scan this with your phone, and compare the code that it shows:"
        return [words, ""] + picture + [""]
    }
}
