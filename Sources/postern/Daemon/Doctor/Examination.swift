import Glibc
import PosternClient
import PosternConfiguration
import StrictJSON

/// Examines the machine, from the outside in; each check judges what was found and changes nothing.
struct Examination {
    var socketPath: String
    var environment: [String: String]
    /// How times in the findings are written.
    var times = TimeText.exact

    /// - Returns: the findings, and whether a daemon of this user answers at the socket.
    func findings() -> (all: [Finding], isReachable: Bool) {
        var isReachable = false
        var findings: [Finding] = []
        let userID = getuid()
        let runtime = environment["XDG_RUNTIME_DIR"]
        let units = askSystemd()
        let remedies = Remedies(
            hasSystemd: units != nil, hasTimedatectl: Executable.find("timedatectl", path: searchPath) != nil,
            hasLoginctl: Executable.find("loginctl", path: searchPath) != nil && DaemonStart.hasSystemd,
            hasRuntimeDirectory: FileStatus(path: "/run/user/\(userID)")?.kind == .directory)
        findings += RuntimeDirectoryCheck.findings(
            path: runtime, status: runtime.flatMap(FileStatus.init(path:)), userID: userID, remedies: remedies)
        let directory = socketPath.unicodeScalars.lastIndex(of: "/").map { String(socketPath[..<$0]) }
        findings += SocketCheck.findings(
            path: socketPath, status: FileStatus(path: socketPath), foreignOwner: SocketOwner.foreign(of: socketPath),
            directory: directory.flatMap(FileStatus.init(path:)), userID: userID, remedies: remedies)
        var (file, state): (String?, String?) = (nil, nil)
        var hasConfiguration = true
        var leftOut: [String] = []
        if let socket = FileStatus(path: socketPath), socket.kind == .socket {
            let answer = askDaemon(remedies, isOwn: socket.owner == userID)
            findings += answer.findings
            findings += ignoredPort(answer, units)
            (file, state, leftOut) = (answer.configurationFile, answer.stateDirectory, answer.leftOut)
            (isReachable, hasConfiguration) = (answer.isReachable, answer.hasConfiguration)
        }
        findings += checkDirectories(file, state: state)
        let configuration = checkConfiguration(
            file, isInUse: hasConfiguration, daemonJudges: isReachable && hasConfiguration, remedies)
        // The daemon and the file report the same mistake; the file's report has the advice.
        let said = configuration.filter { $0.level == .fail }.map(ConfigurationCheck.mistake)
        findings.removeAll { finding in
            finding.title == DaemonCheck.title && finding.level == .fail
                && said.contains { finding.detail.holds($0) }
        }
        findings += configuration
        // What a running daemon left out when it read the files, whatever they say now.
        findings += leftOut.map(ConfigurationCheck.leftOut).filter { !configuration.contains($0) }
        // The daemon does not find it, whatever this shell finds.
        let lacksBrowser = findings.contains { $0.level == .fail && $0.detail.begins(with: "browser in [sign-in]") }
        findings += DesktopCheck.findings(place: TerminalLocation.current, browser: browser(file)) {
            lacksBrowser ? nil : Executable.found($0, path: searchPath)
        }
        findings += ClockCheck.findings(now: Int64(time(nil)), isSynchronised: isClockSynchronised, remedies: remedies)
        findings += UnitsCheck.findings(
            answer: units, hasSystemd: DaemonStart.hasSystemd, own: ownPrograms, daemonAnswers: isReachable
        ) { access($0, F_OK) == 0 }
        findings += ProgramsCheck.findings(searchPath: searchPath)
        findings += ProgramsCheck.bridge(bridge)
        findings += checkProfile()
        return (findings, isReachable)
    }

    private struct Answer {
        var findings: [Finding]
        var configurationFile: String?
        var stateDirectory: String?
        var callbackURLs: [String] = []
        var leftOut: [String] = []
        var isReachable = true
        var hasConfiguration = true
    }

    /// - Parameter isOwn: whether the socket is this user's.
    private func askDaemon(_ remedies: Remedies, isOwn: Bool) -> Answer {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            let status = try connection.call(Interface.GetStatus())
            let providers = try Self.providers(connection)
            var findings = DaemonCheck.findings(
                status: status, ownVersion: Release.version, times: times,
                hasConfiguration: providers != nil, providers: providers ?? [], remedies: remedies)
            for url in status.callbackURLs { findings += CallbackCheck.findings(url: url, remedies: remedies) }
            if let directory = status.stateDirectory {
                findings += SpaceCheck.findings(directory, FreeSpace(of: directory), isStoreOpen: status.storeProblem == nil)
            }
            if let providers {
                findings += RedirectCheck.findings(providers: providers, callbackURLs: status.callbackURLs, remedies: remedies)
                findings += DaemonCheck.findings(providers: providers)
                // A store that is closed is reported above.
                let credentials = status.locked ? [] : (try? connection.call(Interface.ListCredentials()).credentials) ?? []
                findings += DaemonCheck.findings(refusalsOf: providers, credentials: credentials, times: times)
            }
            return Answer(
                findings: findings, configurationFile: status.configurationFile, stateDirectory: status.stateDirectory,
                callbackURLs: status.callbackURLs, leftOut: status.leftOut ?? [], hasConfiguration: providers != nil)
        } catch {
            let failure = CommandFailure(error)
            guard isOwn else {
                // Its log and its units are that user's as well.
                return Answer(findings: [.fail(DaemonCheck.title, failure.sentence, fix: remedies.ownDaemon)], isReachable: false)
            }
            if case PosternError.daemonUnreachable(let path, let reason) = error, reason == String(cString: strerror(ECONNREFUSED)) {
                return Answer(
                    findings: [
                        .fail(
                            DaemonCheck.title, "nothing listens at \(path): a daemon that has ended left the socket",
                            fix: remedies.start)
                    ], isReachable: false)
            }
            return Answer(
                findings: [.fail(DaemonCheck.title, failure.sentence, fix: "\(remedies.log); then: \(remedies.restart)")],
                isReachable: failure.status != .daemonUnreachable)
        }
    }

    private func ignoredPort(_ answer: Answer, _ units: String?) -> [Finding] {
        let configured = IgnoredPort.configured(in: answer.configurationFile, environment: environment)
        let ignored = IgnoredPort(configured: configured, callbackURLs: answer.callbackURLs) {
            units.map(UnitsCheck.read)?.first { $0.id == UnitsCheck.callback }
        }
        return ignored.map { [.warn(CallbackCheck.title, $0.sentence, fix: $0.fix)] } ?? []
    }

    /// Nil if the daemon has no configuration to read them from.
    private static func providers(_ connection: PosternConnection) throws(PosternError) -> [Provider]? {
        do throws(PosternError) { return try connection.call(Interface.ListProviders()).providers } catch {
            if case .refused(.configurationInvalid) = error { return nil }
            throw error
        }
    }

    /// The daemon installed with this command.
    private var daemon: String? { Executable.companion("posternd", path: searchPath) }
    private var bridge: String? { Executable.companion(BridgeProgram.name, path: searchPath) }
    private var ownPrograms: [String: String] {
        [UnitsCheck.service: daemon, UnitsCheck.bridgeService: bridge].compactMapValues(\.self)
    }

    /// - Parameter daemonJudges: a daemon runs with the configuration, and has said what of it cannot be used.
    private func checkConfiguration(_ file: String?, isInUse: Bool, daemonJudges: Bool, _ remedies: Remedies) -> [Finding] {
        guard let daemon else { return [] }
        // The usual file may be missing: everything may be in config.d, or nothing configured.
        let arguments = ["--check-config", "--elsewhere"] + (file.map { FileStatus(path: $0) == nil ? [] : ["--config", $0] } ?? [])
        let (status, output) = run(daemon, arguments, patience: ConfigurationCheck.patience)
        return ConfigurationCheck.findings(
            status: status, output: output, isInUse: isInUse, daemonJudges: daemonJudges, restart: remedies.restart)
    }

    /// From the configuration; mistakes in the files have already been found.
    private func browser(_ file: String?) -> Configuration.Browser {
        let path = file ?? UserDirectories.configurationFile(environment: environment)
        guard let path, let text = try? ConfigurationText(path: path, environment: environment) else { return .command(["xdg-open"]) }
        return (try? text.configuration().signIn.browser) ?? .command(["xdg-open"])
    }

    private func checkProfile() -> [Finding] {
        guard FileStatus(path: ProfileCheck.path) != nil,
            let parser = Executable.find("apparmor_parser", path: searchPath + ":/usr/sbin:/sbin")
        else { return [] }
        let (status, output) = run(parser, ["--skip-kernel-load", "--skip-cache", ProfileCheck.path], patience: 10_000)
        return ProfileCheck.findings(status: status, output: output)
    }

    /// The directories of the configuration (the one that the daemon reads, or else the user's own) and of the store, and what is above
    /// them and the socket's.
    private func checkDirectories(_ file: String?, state: String?) -> [Finding] {
        var findings: [Finding] = []
        // posternd refuses to listen where others can replace the socket's directory.
        var above = [(title: SocketCheck.title, path: ReplacedFile.directory(of: socketPath))]
        if let file = file ?? UserDirectories.configurationFile(environment: environment) {
            let directory = ReplacedFile.directory(of: file)
            let parts = "\(directory)/config.d"
            findings += [directory, parts].flatMap { path in
                DirectoryCheck.findings(path, FileStatus(following: path), userID: getuid())
            }
            findings += checkIgnoredFiles(file, in: directory, parts)
            above.append((ConfigurationCheck.title, directory))
        }
        if let state = state ?? stateDirectory {
            let files = ["postern.db", "key"].map { "\(state)/\($0)" }
            findings += StateDirectoryCheck.findings([state] + files.filter { FileStatus(path: $0) != nil }, obstacle: WriteObstacle.init)
            above.append((StateDirectoryCheck.title, state))
        }
        // Most are below the home directory, which needs to be named only once.
        var told: Set<String> = []
        let home = UserDirectories.home(environment: environment)
        for (title, path) in above {
            let steps = PathCheck.steps(to: path).filter { !told.contains($0.path) }
            findings += PathCheck.findings(title: title, of: path, steps: steps, trusted: PathCheck.trusted, home: home)
            told.formUnion(steps.map(\.path))
        }
        return findings
    }

    /// Beside a main file with another name there may be anything.
    private func checkIgnoredFiles(_ file: String, in directory: String, _ parts: String) -> [Finding] {
        let text = try? ConfigurationText(path: file, environment: environment)
        var findings: [Finding] = []
        if file.ends(with: "/config.toml") {
            let names = TextFile.names(in: directory).filter { FileStatus(following: "\(directory)/\($0)")?.kind == .other }
            findings += IgnoredFilesCheck.findings(directory, names, read: "config.toml") { text?.mentions($0) ?? false }
        }
        return findings + IgnoredFilesCheck.findings(parts, TextFile.names(in: parts), read: nil) { text?.mentions($0) ?? false }
    }

    /// As a daemon that is started without options finds it.
    private var stateDirectory: String? { UserDirectories.state(environment: environment) }

    private func askSystemd() -> String? {
        guard let systemctl = Executable.find("systemctl", path: searchPath) else { return nil }
        let (status, output) = run(
            systemctl, ["--user", "show", "--property", UnitsCheck.properties] + UnitsCheck.units, patience: 5000)
        return status == 0 ? output : nil
    }

    /// A program's output on both streams and its status; nil if it took too long.
    private func run(_ program: String, _ arguments: [String], patience: Int64) -> (status: Int32?, output: String?) {
        guard
            let child = try? ChildProcess(
                path: "/bin/sh", arguments: ["-c", "exec \"$0\" \"$@\" 2>&1", program] + arguments, environment: environment, log: nil),
            let output = child.collectOutput(timeout: patience), let status = child.status, status & 0x7F == 0
        else { return (nil, nil) }
        return ((status >> 8) & 0xFF, output)
    }

    /// systemd-timesyncd touches this file when it has set the clock; if its directory is missing, another program sets the clock.
    private var isClockSynchronised: Bool? {
        guard FileStatus(path: "/run/systemd/timesync") != nil else { return nil }
        return FileStatus(path: "/run/systemd/timesync/synchronized") != nil
    }

    private var searchPath: String { environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }
}

/// One result of the examination.
struct Finding: Equatable {
    enum Level: String {
        case ok
        /// It works, but not for everything; or it could not be examined.
        case warn
        case fail
    }

    var level: Level
    var title: String
    var detail: String
    /// How to fix it.
    var fix: String?

    static func ok(_ title: String, _ detail: String) -> Finding { Finding(level: .ok, title: title, detail: detail) }

    static func warn(_ title: String, _ detail: String, fix: String? = nil) -> Finding {
        Finding(level: .warn, title: title, detail: detail, fix: fix)
    }

    static func fail(_ title: String, _ detail: String, fix: String? = nil) -> Finding {
        Finding(level: .fail, title: title, detail: detail, fix: fix)
    }

    var object: JSONObject {
        var object: JSONObject = ["level": level.rawValue.json, "title": title.json, "detail": detail.json]
        object.set("fix", fix)
        return object
    }

    /// - Parameter width: of the output; text that is too long continues below its beginning.
    func lines(terminal: Terminal, width: Int?) -> [String] {
        let colours: [Level: Terminal.Colour] = [.ok: .green, .warn: .yellow, .fail: .red]
        let word = level.rawValue
        let indent = String(repeating: " ", count: 6)
        let mark = terminal.paint(word, colours[level] ?? .bold) + indent.dropFirst(word.count)
        let sentences = [title.plain + ": " + detail.plain] + (fix.map { ["fix: " + $0.plain] } ?? [])
        let lines = sentences.flatMap { Prose.lines(of: $0, width: width.map { $0 - indent.count }) }
        return lines.enumerated().map { index, line in (index == 0 ? mark : indent) + line }
    }
}
