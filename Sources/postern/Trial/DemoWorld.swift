import Glibc

/// A provider and a daemon of their own, in a directory of their own.
final class DemoWorld {
    let directory: DemoDirectory
    private(set) var issuer = ""
    private var children: [ChildProcess] = []
    private let interrupts: Interrupts
    private let environment: [String: String]

    var socketPath: String { directory.file("io.postern") }

    init(environment: [String: String], interrupts: Interrupts) throws {
        self.environment = environment
        self.interrupts = interrupts
        directory = try DemoDirectory(environment: environment)
    }

    /// Ends the programs and removes the directory.
    ///
    /// - Returns: false if something is left.
    func end() -> Bool {
        for child in children.reversed() { child.end() }
        children = []
        return directory.remove()
    }

    func startProvider() throws {
        let arguments = ["--port", "0", "--exit-with-stdin", "--device-interval", "1"]
        let child = try start("postern-demo-provider", arguments: arguments, extra: [:])
        let deadline = Deadline(milliseconds: 10_000)
        var lines = PastedLines()
        while true {
            let ready = deadline.wait(for: Int(POLLIN), on: [child.output, interrupts.descriptor])
            if ready[1] { throw interrupted }
            guard ready[0] else { throw failure("postern-demo-provider", "did not start in time") }
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = read(child.output, &bytes, bytes.count)
            guard count > 0 else { throw failure("postern-demo-provider", "ended at once") }
            for line in lines.received(bytes[..<count]) {
                guard let address = line.rest(after: "listening ") else { continue }
                issuer = String(address)
                return
            }
        }
    }

    /// - Parameter opensBrowser: whether the daemon opens the page; otherwise the caller does.
    func startDaemon(opensBrowser: Bool) throws {
        try directory.write(DemoConfiguration.text(issuer: issuer, opensBrowser: opensBrowser), to: "config.toml")
        let readiness = try ReadinessSocket(path: directory.file("notify"))
        let child = try start(
            "posternd",
            arguments: ["--config", directory.file("config.toml"), "--socket", socketPath, "--state-directory", directory.file("state")],
            extra: ["NOTIFY_SOCKET": readiness.path])
        let deadline = Deadline(milliseconds: 15_000)
        while !readiness.isReady() {
            let ready = deadline.wait(for: Int(POLLIN), on: [readiness.descriptor, child.output, interrupts.descriptor])
            if ready[2] { throw interrupted }
            if ready[1], !ready[0] {
                // It should write nothing there: this is either its end, or output that is not for us.
                var bytes = [UInt8](repeating: 0, count: 1024)
                if read(child.output, &bytes, bytes.count) <= 0 { throw failure("posternd", "ended at once") }
            } else if !ready[0] {
                throw failure("posternd", "did not start in time")
            }
        }
    }

    private func start(_ name: String, arguments: [String], extra: [String: String]) throws -> ChildProcess {
        guard let path = Executable.companion(name, path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") else {
            throw CommandFailure(
                "\(name) is neither beside this program nor in PATH", advice: "from a clone: scripts/demo.sh builds all of it")
        }
        let log = open(directory.file("\(name).log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw CommandFailure("no log could be opened: \(String(cString: strerror(errno)))") }
        defer { close(log) }
        var variables = environment
        // Neither the user's own configuration nor their daemon is involved.
        variables["POSTERN_SOCKET"] = nil
        variables["POSTERN_SYSTEM_ROOT"] = directory.file("system")
        variables["XDG_CONFIG_HOME"] = directory.file("config")
        variables["XDG_STATE_HOME"] = directory.file("state-home")
        for (name, value) in extra { variables[name] = value }
        let child = try ChildProcess(path: path, arguments: arguments, environment: variables, log: log)
        children.append(child)
        return child
    }

    private var interrupted: CommandFailure { CommandFailure("cancelled", status: .declined) }

    private func failure(_ name: String, _ what: String) -> CommandFailure {
        let words = directory.tail(of: "\(name).log", lines: 8)
        return CommandFailure("\(name) \(what)", advice: words.isEmpty ? nil : words.joined(separator: "\n  "))
    }
}

/// The configuration of the demo's daemon.
enum DemoConfiguration {
    static let providerID = "demo"

    static func text(issuer: String, opensBrowser: Bool) -> String {
        """
        [callback]
        port = 0

        \(opensBrowser ? "" : "[sign-in]\nbrowser = \"none\"\n")
        [store]
        key = "file"

        [daemon]
        idle-exit = "never"

        [provider.\(providerID)]
        kind = "oidc"
        display-name = "Demo Provider"
        issuer = "\(issuer)"
        client-id = "postern-demo"
        scopes = ["openid", "email", "profile", "offline_access"]
        step-up-scopes = ["reports"]
        serves = ["\(issuer)"]

        """
    }
}
