import ArgumentParser
import Glibc
import PosternClient
import PosternConfiguration

/// Chooses the configuration.
struct ConfigurationFileOption: ParsableArguments, PlainOptions {
    @Option(
        help: ArgumentHelp("The configuration file. (default: $XDG_CONFIG_HOME/postern/config.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    mutating func take(from line: inout PlainLine) {
        config = line.option("--config")
    }

    func text(_ environment: [String: String]) throws -> ConfigurationText {
        guard let path = config ?? UserDirectories.configurationFile(environment: environment) else {
            throw CommandFailure("cannot tell where the configuration is: HOME is not set", advice: "give --config")
        }
        return try ConfigurationText(path: path, environment: environment)
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

    func write() throws { try ReplacedFile(change.file).write(change.after) }

    /// As it was.
    func undo() throws {
        if change.isNew { unlink(change.file) } else { try ReplacedFile(change.file).write(change.before) }
    }
}

/// Has the daemon take up what was written.
enum ConfigurationReload {
    enum Outcome {
        case taken
        /// It reads the files when it starts.
        case notRunning
    }

    /// - Throws: what the daemon has against it.
    static func run(socketPath: String) throws -> Outcome {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            _ = try connection.call(Interface.Reload())
            return .taken
        } catch PosternError.daemonUnreachable {
            return .notRunning
        }
    }

    /// For the user who changed something.
    static func report(socketPath: String, section: String? = nil) throws {
        switch try run(socketPath: socketPath) {
        case .notRunning: StandardError.write(line: "the daemon is not running; it reads this when it starts")
        case .taken where section == "callback" || section == "store" || section == "daemon":
            StandardError.write(line: "the change takes effect after a restart: systemctl --user restart postern.service")
        case .taken: StandardError.write(line: "the change is in effect")
        }
    }
}
