import ArgumentParser
import Glibc
import PosternClient
import PosternConfiguration

/// Which configuration is meant.
struct ConfigurationFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file. (default: $XDG_CONFIG_HOME/postern/config.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    func text(_ environment: [String: String]) throws -> ConfigurationText {
        guard let path = config ?? UserDirectories.configurationFile(environment: environment) else {
            throw CommandFailure("it is not known where the configuration belongs: HOME is not set", advice: "give --config")
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

/// A change of a file, as it is shown, written and taken up.
struct ConfigurationUpdate {
    let change: ConfigurationText.Change

    /// The lines that differ: those that go, then those that come.
    var lines: [String] {
        let before = Self.lines(change.before)
        let after = Self.lines(change.after)
        var start = 0
        while start < min(before.count, after.count), before[start] == after[start] { start += 1 }
        var end = 0
        while end < min(before.count, after.count) - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        return before[start..<(before.count - end)].map { "- " + Self.shown($0) }
            + after[start..<(after.count - end)].map { "+ " + Self.shown($0) }
    }

    func write() throws { try ReplacedFile(change.file).write(change.after) }

    /// As it was.
    func undo() throws {
        if change.isNew { unlink(change.file) } else { try ReplacedFile(change.file).write(change.before) }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// A secret that stands in the file is not shown beside what changes.
    private static func shown(_ line: String) -> String {
        guard let equals = line.firstIndex(of: "=") else { return line.plain }
        let key = line[..<equals].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }.split(separator: ".").last ?? ""
        let value = line[line.index(after: equals)...].drop { $0.isWhitespace }
        guard key.contains("secret") || key.contains("token") || key.hasSuffix("key"), value.hasPrefix("\"") || value.hasPrefix("'") else {
            return line.plain
        }
        return (line[...equals] + " \"…\"").plain
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

    /// For the person who changed something.
    static func report(socketPath: String, section: String? = nil) throws {
        switch try run(socketPath: socketPath) {
        case .notRunning: StandardError.write(line: "the daemon is not running; it reads this when it starts")
        case .taken where section == "callback" || section == "store" || section == "daemon":
            StandardError.write(line: "the daemon takes this up when it is restarted: systemctl --user restart postern.service")
        case .taken: StandardError.write(line: "the daemon has taken it up")
        }
    }
}
