import CSystemd
import Glibc

/// Opens a page through the desktop portal (org.freedesktop.portal.OpenURI), which asks the desktop for its browser.
///
/// The portal looks at who asks, by `/proc/PID/root`, and nobody may look there in a process that forbids core files, as the daemon does:
/// it answers AccessDenied. So a helper asks, a process of its own without such a secret: the program itself, executed anew, which is
/// always there and of the same version.
public enum OpenURIPortal {
    /// Of the helper: it gets no arguments that name the page, which every user of the machine could read.
    private static let longestAddress = 65_536
    /// In seconds: until the helper must have answered. Its calls over the bus end before that, with a reason.
    private static let answerTime: UInt32 = 10
    /// In milliseconds: how long a failure to start the browser is waited for. Who is asked to choose one takes longer.
    private static let verdictTime: UInt64 = 1000
    /// In seconds: how long somebody may take to choose a browser.
    private static let choiceTime: UInt32 = 600

    /// Blocks for ten seconds at most, usually for some hundredths.
    ///
    /// - Parameters:
    ///   - helper: a command that calls ``answer()``.
    ///   - environment: where the session bus is found; the helper gets nothing else of it.
    public static func open(_ url: String, helper: [String], environment: [String: String]) throws(LaunchError) {
        try open(url, helper: helper, environment: environment, patience: .seconds(Int64(answerTime)))
    }

    static func open(_ url: String, helper: [String], environment: [String: String], patience: Duration) throws(LaunchError) {
        do throws(LaunchError) {
            let environment = environment.filter { busVariables.contains($0.key) }
            let answer = try ask(helper, about: url, environment: environment, until: .now + patience)
            if answer != opened { throw LaunchError(answer) }
        } catch {
            throw LaunchError("the desktop portal did not open the page: \(error)")
        }
    }

    private static let busVariables: Set = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
    private static let opened = "opened"

    /// The line that the helper writes.
    private static func ask(
        _ helper: [String], about url: String, environment: [String: String], until end: ContinuousClock.Instant
    ) throws(LaunchError) -> String {
        guard url.utf8.count <= longestAddress else { throw LaunchError("its address is longer than \(longestAddress) bytes") }
        // A socket, since a helper that has gone must not end us by SIGPIPE.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LaunchError("there is no socket to be had: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[0]) }
        do throws(LaunchError) {
            try DetachedProgram.start(helper, environment: environment, input: ends[1], output: ends[1])
        } catch {
            close(ends[1])
            throw error
        }
        // Its own end is the helper's alone from now on, so that its going is seen.
        close(ends[1])
        return try exchange(Array(url.utf8) + [0x0A], over: ends[0], until: end)
    }

    /// Writes the question and reads the answer's line, whichever the other end is ready for.
    private static func exchange(
        _ question: [UInt8], over socket: Int32, until end: ContinuousClock.Instant
    ) throws(LaunchError) -> String {
        var rest = question[...]
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        while true {
            let left = (end - .now) / Duration.milliseconds(1)
            guard left > 0 else { throw LaunchError("the helper that asks it did not answer in time") }
            var entry = pollfd(fd: socket, events: Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
            guard poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { continue }
            if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    answer += chunk[..<count]
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    throw LaunchError("the helper that asks it ended without an answer")
                }
                if let line = answer.firstIndex(of: 0x0A) { return String(decoding: answer[..<line], as: UTF8.self) }
                guard answer.count <= PlainLine.limit else { throw LaunchError("the helper that asks it does not come to an end") }
            }
            if entry.revents & Int16(POLLOUT) != 0 {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
                // One that has gone, or does not read, may still have said why.
                if count > 0 { rest = rest.dropFirst(count) } else if count < 0, errno != EAGAIN, errno != EINTR { rest = [] }
            }
        }
    }
}

extension OpenURIPortal {
    /// What the helper does: reads the page's address from standard input, asks the portal, and writes one line.
    ///
    /// It stays until the portal has done what it was asked: the question that somebody may have to answer, which browser it is to be,
    /// goes away with who asked for it.
    public static func answer() {
        // All of it ends, whatever the bus and the other end of the pipes do.
        alarm(answerTime)
        signal(SIGPIPE, SIG_IGN)
        guard let url = readAddress() else { return report("it was given no address") }
        do throws(BusError) {
            let bus = try Bus()
            let request = try open(url, on: bus)
            guard try verdict(on: request, bus: bus, within: verdictTime) == nil else { return report(opened) }
            report(opened)
            alarm(choiceTime)
            _ = try verdict(on: request, bus: bus, within: UInt64(choiceTime) * 1000)
        } catch {
            report(error.description)
        }
    }

    private static let service = "org.freedesktop.portal.Desktop"
    private static let requestInterface = "org.freedesktop.portal.Request"

    /// - Returns: the object that stands for the question.
    private static func open(_ url: String, on bus: Bus) throws(BusError) -> String {
        try bus.subscribe(to: "Response", of: requestInterface, from: service)
        return try bus.call(service, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI", "OpenURI") { message in
            firstError(
                // No parent window.
                { postern_bus_append_string(message, "") }, { postern_bus_append_string(message, url) },
                { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}") },
                { sd_bus_message_close_container(message) })
        } read: { reply throws(BusError) in
            var path: UnsafePointer<CChar>?
            try Bus.check(postern_bus_read_object(reply, &path), "the answer cannot be read")
            return path.map { String(cString: $0) } ?? ""
        }
    }

    /// Throws where the browser was not started; nil where that is not known yet.
    private static func verdict(on request: String, bus: Bus, within milliseconds: UInt64) throws(BusError) -> Bool? {
        let response = try bus.signal("Response", of: requestInterface, at: request, within: milliseconds) { message throws(BusError) in
            var response: UInt32 = 0
            try Bus.check(postern_bus_read_number(message, &response), "the response cannot be read")
            return response
        }
        switch response {
        case nil: return nil
        case 0: return true
        // The portal documents 1 for a person who said no, and 2 for the rest.
        case 1: throw BusError(name: nil, reason: "nobody chose a browser")
        default: throw BusError(name: nil, reason: "no browser could be started")
        }
    }

    /// A line of standard input.
    private static func readAddress() -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longestAddress + 1 {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            if bytes.last == 0x0A { return String(validating: bytes.dropLast(), as: UTF8.self) }
        }
        return nil
    }

    /// The daemon takes the first line; there is nobody to tell where it has gone.
    private static func report(_ answer: String) {
        let line = PlainLine.obedient(answer, limit: PlainLine.limit - 1) + [0x0A]
        _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
