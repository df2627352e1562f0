import Glibc
import PosternClient
import PosternConfiguration
import ProgramOptions

/// Chooses the configuration.
struct ConfigurationFileOption {
    let config: String?

    /// The usual one.
    init() { config = nil }

    init(_ line: inout OptionReader) {
        config = line.option(
            "config", .file, named: "file", help: "The configuration file. (default: $XDG_CONFIG_HOME/postern/config.toml)")
    }

    func text(_ environment: [String: String]) throws -> ConfigurationText {
        guard let path = config ?? UserDirectories.configurationFile(environment: environment) else {
            throw CommandFailure("cannot tell where the configuration is: HOME is not set", advice: "give --config")
        }
        return try ConfigurationText(path: path, environment: environment)
    }

    /// Reads the files again, for a change that no other command can come between.
    func locked<Result>(
        _ text: ConfigurationText, _ environment: [String: String], _ change: (ConfigurationText) throws -> Result
    ) throws -> Result {
        try ConfigurationLock.held(for: text.mainFile) { try change(try self.text(environment)) }
    }
}

extension CommandFailure {
    init(editing error: any Error) {
        self.init(error)
        guard let error = error as? ConfigurationEditError else { return }
        self.init(error.description.plain, advice: error.advice?.plain)
    }
}

/// A change of a file, which is shown, written and applied.
struct ConfigurationUpdate {
    let change: ConfigurationText.Change

    /// The differences, as in ``ConfigurationText/Change/lines``.
    var lines: [String] { change.lines.map(\.plain) }

    /// Replaces only the content that the change was based on: what somebody else has written since then stays.
    ///
    /// Only while the ``ConfigurationLock`` is held.
    ///
    /// - Returns: a function that restores the file, or removes a new one, unless somebody else has written it since.
    @discardableResult
    func write() throws -> () throws -> Void {
        let old = try FileSnapshot(change.file, isSecret: false)
        guard old.content == (change.isNew ? nil : change.before) else {
            throw CommandFailure("\(change.file) has changed in the meantime and was not written".plain, advice: "run this command again")
        }
        try ReplacedFile(change.file).write(change.after)
        return { try old.restore(over: change.after) }
    }
}

/// Makes the daemon apply what was written, and says from when it takes effect.
struct ConfigurationReload {
    let socketPath: String
    let environment: [String: String]
    /// That of the changed configuration; absolute.
    let mainFile: String

    /// Reports to the user after a change.
    ///
    /// - Throws: the daemon's objection to it.
    func report(_ change: ConfigurationText.Change) throws {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            if let other = try connection.call(Interface.GetStatus()).configurationFile, !isRead(byDaemonOf: other) {
                let way = "--config \(other) changes that one"
                return StandardError.write(line: "the running daemon does not read this: its configuration is \(other); \(way)".plain)
            }
            _ = try connection.call(Interface.Reload())
        } catch PosternError.daemonUnreachable {
            return tellNobodyRuns()
        }
        let systemd = SystemdUnits(environment: environment)
        let effect = ChangeEffect(keys: change.keys) { systemd.isActive("postern-callback.socket") }
        for line in effect.lines(restart: { Remedies(hasSystemd: systemd.isThere).restart }) { StandardError.write(line: line) }
    }

    private func tellNobodyRuns() {
        var reader = "one that is started with --config \(mainFile) reads"
        if let usual = UserDirectories.configurationFile(environment: environment), isRead(byDaemonOf: usual) {
            reader = "at its start it reads"
        }
        StandardError.write(line: "the daemon is not running; \(reader) this".plain)
    }

    /// The administrator's files are read by every daemon.
    private func isRead(byDaemonOf file: String) -> Bool {
        Self.real(mainFile) == Self.real(file) || mainFile == "\(SystemDirectories(environment: environment).administrator)/config.toml"
    }

    /// `config.d` may exist without a main file.
    private static func real(_ path: String) -> String {
        let file = ReplacedFile(path).path
        guard file == path, let name = path.parts(separator: "/").last else { return file }
        return "\(ReplacedFile(ReplacedFile.directory(of: path)).path)/\(name)"
    }
}
