import Glibc
import PosternConfiguration

/// Where `postern setup` keeps a secret.
enum SecretPlacement: String, CaseIterable {
    case file, keyring, credential
}

/// A secret that is about to be stored. The configuration contains only its place.
struct PlacedSecret {
    let providerID: String
    let key: String
    let placement: SecretPlacement
    /// That of the configuration.
    let directory: String
    let environment: [String: String]

    /// The file of the client secret has only the provider's name.
    var file: String { "\(directory)/\(name).secret" }

    private var name: String { ["client-secret", "api-secret"].contains(key) ? providerID : "\(providerID).\(key)" }
    private var credential: String { "postern-\(name)" }
    private var attributes: [String] { ["application", "postern-client", "provider", providerID, "secret", key] }
    private var tool: String? { Executable.find("secret-tool", path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") }

    func value() throws -> ConfigurationValue {
        switch placement {
        case .file: return .secret(.file(ConfigurationPlace.short(file, environment)))
        case .credential:
            // systemd's units have one setting in a line, and end lines at these.
            guard !file.unicodeScalars.contains(where: { ["\n", "\r", "\0"].contains($0) }) else {
                throw CommandFailure(
                    "a systemd unit cannot name \(shownFile): the path has a line break".plain,
                    advice: "use --secret-in file, or a configuration in another directory")
            }
            return .secret(.credential(credential))
        case .keyring:
            guard let tool else {
                throw CommandFailure(
                    "secret-tool, which keeps secrets in the keyring, is not installed",
                    advice: "install libsecret-tools, or use --secret-in file")
            }
            return .secret(.command([tool, "lookup"] + attributes))
        }
    }

    private var shownFile: String { ConfigurationPlace.short(file, environment) }

    /// For the person who is asked whether to write it.
    func announcement() throws -> [String] {
        switch placement {
        case .file: ["the secret into \(shownFile) (mode 600)" + (access(file, F_OK) == 0 ? ", replacing the current one" : "")]
        case .keyring: ["the secret into the keyring (\(attributes.joined(separator: " ")))"]
        case .credential:
            [
                "the secret into \(shownFile) (mode 600), and a drop-in for systemd, which gives it to the daemon, into",
                "  \(ConfigurationPlace.short(try unit(), environment)):",
            ] + dropIn.map { "  " + $0 }
        }
    }

    /// A percent sign begins a specifier, which systemd expands (systemd.unit(5)).
    private var dropIn: [String] { ["[Service]", "LoadCredential=\(credential):\(file.mapping { $0 == "%" ? "%%" : String($0) })"] }

    private var dropInText: String { dropIn.map { $0 + "\n" }.joined() }

    func store(_ secret: String) throws {
        switch placement {
        case .file: try storeInFile(secret)
        case .keyring: try storeInKeyring(secret)
        case .credential:
            try storeInFile(secret)
            try ReplacedFile(unit()).write(Array(dropInText.utf8), mode: 0o644)
            reloadUnits()
        }
    }

    /// Call it before ``store(_:)``.
    ///
    /// - Returns: a function that restores the present secret, or removes the new one if there is none, unless somebody else has stored
    ///   another since.
    func undo(of secret: String) throws -> () throws -> Void {
        switch placement {
        case .file:
            let old = try FileSnapshot(file, isSecret: true)
            return { try old.restore(over: content(secret)) }
        case .keyring:
            let old = try secretInKeyring()
            return {
                let present = try secretInKeyring()
                guard present != old else { return }
                guard present == secret else { throw CommandFailure("the keyring has another secret now, which stays") }
                if let old { try storeInKeyring(old) } else { try clearKeyring() }
            }
        case .credential:
            let (oldFile, oldUnit) = (try FileSnapshot(file, isSecret: true), try FileSnapshot(unit(), isSecret: false))
            return {
                defer { reloadUnits() }
                let unit = Result { try oldUnit.restore(over: Array(dropInText.utf8)) }
                try oldFile.restore(over: content(secret))
                try unit.get()
            }
        }
    }

    /// Others may be able to read an existing file.
    private func storeInFile(_ secret: String) throws { try ReplacedFile(file).write(content(secret), keepsMode: false) }

    private func content(_ secret: String) -> [UInt8] { Array((secret + "\n").utf8) }

    private func unit() throws -> String {
        guard let home = UserDirectories.home(environment: environment) else { throw CommandFailure("HOME is not set") }
        let units = environment.path("XDG_CONFIG_HOME") ?? "\(home)/.config"
        return "\(units)/systemd/user/postern.service.d/\(credential).conf"
    }

    private func reloadUnits() {
        for arguments in [["daemon-reload"], ["try-restart", "postern.service"]] { SystemdUnits(environment: environment).run(arguments) }
    }

    /// Nil if the keyring has none.
    ///
    /// - Throws: if that is not known, as when the user does not unlock the keyring. A secret that may be there must not be replaced, since it
    ///   could not be restored.
    private func secretInKeyring() throws -> String? {
        let result = try runTool("lookup")
        if result.status == 0, let output = result.output { return output }
        var reason = result.reason
        // Every failure has this status; only this one, and an unlocking that the user declined, have no message.
        if result.status == 1, result.output == "", result.errors.isEmpty {
            // It also finds locked items, without asking.
            let found = try runTool("search")
            if found.status == 0, found.output == "" { return nil }
            reason = found.status == 0 && found.output != nil ? " (it is locked)" : found.reason
        }
        throw CommandFailure(
            "the keyring does not tell the secret that it may have already\(reason), so nothing was stored".plain,
            advice: "unlock the keyring and try again; --secret-in file keeps the secret in a file that only you can read")
    }

    private func clearKeyring() throws {
        let result = try runTool("clear")
        guard result.status == 0 || (result.status == 1 && result.errors.isEmpty) else {
            throw CommandFailure("the new secret could not be removed from the keyring\(result.reason)".plain)
        }
    }

    private struct ToolResult {
        /// Nil if a signal ended it.
        var status: Int32?
        /// Nil if it took too long or wrote too much.
        var output: String?
        var errors: String

        /// For the end of a clause.
        var reason: String {
            if output == nil { return " (secret-tool took too long)" }
            let line = errors.parts(separator: "\n").first.map(String.init)
            return " (\(line ?? "secret-tool ended with status \(status.map { "\($0)" } ?? "of a signal")"))"
        }
    }

    private func runTool(_ verb: String) throws -> ToolResult {
        guard let tool else { throw CommandFailure("secret-tool is no longer installed") }
        // Its few lines fit into the pipe.
        let log = try PipeEnds(blocking: false)
        defer { close(log.readEnd) }
        let child: ChildProcess
        do {
            defer { close(log.writeEnd) }
            child = try ChildProcess(path: tool, arguments: [verb] + attributes, environment: environment, log: log.writeEnd)
        }
        _ = child.write(input: [])
        // The user may have to unlock the keyring.
        let output = child.collectOutput(timeout: 120_000)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(log.readEnd, &bytes, bytes.count))
        let status = child.status.flatMap { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : nil }
        return ToolResult(status: status, output: output, errors: String(decoding: bytes[..<count], as: UTF8.self))
    }

    private func storeInKeyring(_ secret: String) throws {
        guard let tool else { return }
        let child = try ChildProcess(
            path: tool, arguments: ["store", "--label=Postern: \(key) of \(providerID)"] + attributes, environment: environment,
            log: STDERR_FILENO)
        // The user may have to unlock the keyring.
        guard child.write(input: Array(secret.utf8)), child.collectOutput(timeout: 120_000) != nil, child.status == 0 else {
            throw CommandFailure(
                "the keyring did not store the secret", advice: "--secret-in file keeps it in a file that only you can read")
        }
    }
}
