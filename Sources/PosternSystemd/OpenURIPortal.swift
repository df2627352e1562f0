import CSystemd
import Glibc

/// Opens a page with the desktop portal (org.freedesktop.portal.OpenURI), which asks the desktop for its browser.
///
/// The daemon itself must not call it; a ``PortalProcess`` does.
public enum OpenURIPortal {
    /// For the helper: it does not get the page's address as an argument, which every user of the machine could read.
    private static let longestAddress = 65_536
    /// In seconds: how long the helper may take to answer. Its calls over the bus fail before that, with a reason.
    public static let answerTime: UInt32 = 10
    /// In milliseconds: how long to wait for a failure to start the browser. A user who is asked to choose one takes longer.
    private static let verdictTime: UInt64 = 1000
    /// In seconds: how long somebody may take to choose a browser.
    private static let choiceTime: UInt32 = 600

    /// Blocks for ten seconds at most, usually for some hundredths.
    ///
    /// - Parameters:
    ///   - activationToken: of the button that was pressed to open the page.
    ///   - helper: a command that calls ``answer()``.
    ///   - environment: used to find the session bus; the helper gets nothing else from it.
    public static func open(
        _ url: String, activationToken: ActivationToken? = nil, helper: [String], environment: [String: String],
        patience: Duration = .seconds(Int64(answerTime))
    ) throws(LaunchError) {
        do throws(LaunchError) {
            guard url.utf8.count <= longestAddress else { throw LaunchError("its address is longer than \(longestAddress) bytes") }
            let question = "\(url)\(activationToken.map { " \($0.text)" } ?? "")\n"
            let socket = try PortalProcess.start(helper, environment: environment)
            defer { close(socket) }
            let answer = try exchange(Array(question.utf8), over: socket, until: .now + patience)
            if answer != opened { throw LaunchError(answer) }
        } catch {
            throw LaunchError("the desktop portal did not open the page: \(error)")
        }
    }

    private static let opened = "opened"

    /// Writes the request and reads the line of the answer, whichever the other end is ready for.
    private static func exchange(
        _ question: [UInt8], over socket: Int32, until end: ContinuousClock.Instant
    ) throws(LaunchError) -> String {
        var rest = question[...]
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        while true {
            let left = (end - .now) / Duration.milliseconds(1)
            guard left > 0 else { throw LaunchError("the helper for it did not answer in time") }
            var entry = pollfd(fd: socket, events: Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
            guard poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { continue }
            if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    answer += chunk[..<count]
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    throw LaunchError("the helper for it ended without an answer")
                }
                if let line = answer.firstIndex(of: 0x0A) { return String(decoding: answer[..<line], as: UTF8.self) }
                guard answer.count <= PlainLine.limit else { throw LaunchError("the helper for it does not exit") }
            }
            if entry.revents & Int16(POLLOUT) != 0 {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
                // A helper that has exited, or does not read, may still have sent the reason.
                if count > 0 { rest = rest.dropFirst(count) } else if count < 0, errno != EAGAIN, errno != EINTR { rest = [] }
            }
        }
    }
}

extension OpenURIPortal {
    /// Runs in the helper: reads the page's address from standard input, calls the portal, and writes one line.
    ///
    /// It stays until the portal has finished: if somebody is asked which browser to use, that dialog disappears with the process that
    /// requested it.
    public static func answer() {
        // All of it ends, whatever the bus and the other end of the pipes do.
        alarm(answerTime)
        signal(SIGPIPE, SIG_IGN)
        guard let line = readLine() else { return report("it was given no address") }
        // An address contains no spaces.
        let words = line.unicodeScalars.split(separator: " ", maxSplits: 1).map(String.init)
        guard let url = words.first else { return report("it was given no address") }
        do throws(BusError) {
            let bus = try Bus()
            let request = try open(url, activationToken: words.dropFirst().first.flatMap { ActivationToken($0) }, on: bus)
            guard try verdict(on: request, bus: bus, within: verdictTime) == nil else { return report(opened) }
            report(opened)
            alarm(choiceTime)
            _ = try verdict(on: request, bus: bus, within: UInt64(choiceTime) * 1000)
        } catch {
            report(error.description)
        }
    }

    private static let service = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.OpenURI"
    private static let requestInterface = "org.freedesktop.portal.Request"

    /// - Returns: the object that represents the request.
    private static func open(_ url: String, activationToken: ActivationToken?, on bus: Bus) throws(BusError) -> String {
        try bus.subscribe(to: "Response", of: requestInterface, from: service)
        return try bus.call(service, path, interface, "OpenURI") { message in
            // No parent window.
            message.strings("", url)
            message.container(.array, "{sv}") {
                // Since version 4; but xdg-desktop-portal 1.16 accepts it and reports version 3, and earlier ones ignore what they do not
                // know.
                if let activationToken { message.property("activation_token", activationToken.text) }
            }
        } read: { reply throws(BusError) in
            try reply.object()
        }
    }

    /// Throws if the browser was not started; returns nil if that is not known yet.
    private static func verdict(on request: String, bus: Bus, within milliseconds: UInt64) throws(BusError) -> Bool? {
        let end = MonotonicClock.microseconds + milliseconds * 1000
        let response = try bus.signal("Response", of: requestInterface, at: request, until: end) { message throws(BusError) in
            try message.number()
        }
        switch response {
        case nil: return nil
        case 0: return true
        // The portal documents 1 for a user who declined, and 2 for other failures.
        case 1: throw BusError(name: nil, reason: "nobody chose a browser")
        default: throw BusError(name: nil, reason: "no browser could be started")
        }
    }

    /// Reads a line from standard input.
    private static func readLine() -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longestAddress + chunk.count {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            if bytes.last == 0x0A { return String(validating: bytes.dropLast(), as: UTF8.self) }
        }
        return nil
    }

    /// The daemon reads the first line; if it is gone, there is nobody to report to.
    private static func report(_ answer: String) {
        let line = PlainLine.obedient(answer, limit: PlainLine.limit - 1) + [0x0A]
        _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
