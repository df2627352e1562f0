import Glibc
import PosternClient
import StrictJSON

/// Looks at the machine, from the outside in; each check judges what was seen and mends nothing.
struct Examination {
    var socketPath: String
    var environment: [String: String]

    func findings() -> [Finding] {
        var findings: [Finding] = []
        let userID = getuid()
        let runtime = environment["XDG_RUNTIME_DIR"]
        findings += RuntimeDirectoryCheck.findings(path: runtime, status: runtime.flatMap(FileStatus.init(path:)), userID: userID)
        let directory = socketPath.lastIndex(of: "/").map { String(socketPath[..<$0]) }
        let socketFindings = SocketCheck.findings(
            path: socketPath, status: FileStatus(path: socketPath), directory: directory.flatMap(FileStatus.init(path:)), userID: userID)
        findings += socketFindings
        if FileStatus(path: socketPath)?.kind == .socket { findings += askDaemon() }
        findings += DesktopCheck.findings(place: Place(environment: environment), opener: Executable.find("xdg-open", path: searchPath))
        findings += ClockCheck.findings(now: Int64(time(nil)), isSynchronised: isClockSynchronised)
        findings += UnitsCheck.findings(answer: askSystemd())
        return findings
    }

    private func askDaemon() -> [Finding] {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            let status = try connection.call(Interface.GetStatus())
            var findings = DaemonCheck.findings(
                status: status, ownVersion: Release.version, installed: InstalledDaemon(searchPath: searchPath))
            for url in status.callbackURLs { findings += CallbackCheck.findings(url: url) }
            let providers = try connection.call(Interface.ListProviders()).providers
            findings += RedirectCheck.findings(providers: providers, callbackURLs: status.callbackURLs)
            return findings + DaemonCheck.findings(providers: providers)
        } catch {
            let failure = CommandFailure(error)
            return [
                .fail(
                    "daemon", failure.sentence,
                    mend: "journalctl --user -u postern.service says more; "
                        + (failure.advice ?? "systemctl --user restart postern.service"))
            ]
        }
    }

    private func askSystemd() -> String? {
        guard let systemctl = Executable.find("systemctl", path: searchPath) else { return nil }
        let log = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        defer { close(log) }
        let child = try? ChildProcess(
            path: systemctl, arguments: ["--user", "is-enabled"] + UnitsCheck.units, environment: environment, log: log)
        return child?.collectOutput(timeout: 5000)
    }

    /// systemd-timesyncd touches this file when it has set the clock; where its directory is missing, another program sets it.
    private var isClockSynchronised: Bool? {
        guard FileStatus(path: "/run/systemd/timesync") != nil else { return nil }
        return FileStatus(path: "/run/systemd/timesync/synchronized") != nil
    }

    private var searchPath: String { environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }
}

/// What one look at the machine has shown.
struct Finding: Equatable {
    enum Level: String {
        case ok
        /// Works, but not for everything; or could not be looked at.
        case warn
        case fail
    }

    var level: Level
    var title: String
    var detail: String
    /// What mends it.
    var mend: String?

    static func ok(_ title: String, _ detail: String) -> Finding { Finding(level: .ok, title: title, detail: detail) }

    static func warn(_ title: String, _ detail: String, mend: String? = nil) -> Finding {
        Finding(level: .warn, title: title, detail: detail, mend: mend)
    }

    static func fail(_ title: String, _ detail: String, mend: String? = nil) -> Finding {
        Finding(level: .fail, title: title, detail: detail, mend: mend)
    }

    var object: JSONObject {
        var object: JSONObject = ["level": level.rawValue.json, "title": title.json, "detail": detail.json]
        object.set("mend", mend)
        return object
    }

    func lines(terminal: Terminal) -> [String] {
        let colours: [Level: Terminal.Colour] = [.ok: .green, .warn: .yellow, .fail: .red]
        let word = level.rawValue
        let mark = terminal.paint(word, colours[level] ?? .bold) + String(repeating: " ", count: 6 - word.count)
        var lines = [mark + title.plain + ": " + detail.plain]
        if let mend { lines.append("      mend: " + mend.plain) }
        return lines
    }
}
