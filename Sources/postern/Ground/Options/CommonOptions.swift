import PosternClient
import PosternValues
import ProgramOptions

/// What a command knows of its environment, whichever of the option groups below it has.
protocol CommandOptions {
    var socketPath: String { get }
    var json: Bool { get }
    var quiet: Bool { get }
}

/// For a command that calls the daemon and prints no document.
struct ConnectionOptions: CommandOptions {
    let socket: String?
    let quiet: Bool

    init(_ line: inout OptionReader) {
        socket = line.option(
            "socket", .file, named: "path", help: "The daemon's socket. (default: $POSTERN_SOCKET, then the one in $XDG_RUNTIME_DIR)",
            ifEmpty: "needs a path")
        quiet = line.quiet()
    }

    var socketPath: String { socket ?? SocketPath.current }
    var json: Bool { false }
}

/// For a command that prints something and needs no daemon.
struct OutputOptions: CommandOptions {
    let json: Bool
    let quiet: Bool

    init(_ line: inout OptionReader) {
        json = line.flag("json", help: "Print the result, or the error, as one JSON document.")
        quiet = line.quiet()
    }

    var socketPath: String { SocketPath.current }
}

/// For most commands.
struct CommonOptions: CommandOptions {
    private let connection: ConnectionOptions
    let json: Bool

    init(_ line: inout OptionReader) {
        connection = ConnectionOptions(&line)
        json = line.flag("json", help: "Print the reply's parameters, or the error, as one JSON document.")
    }

    var socket: String? { connection.socket }
    var socketPath: String { connection.socketPath }
    var quiet: Bool { connection.quiet }
}

/// For a command about an app's user.
struct UserOptions: CommandOptions {
    private let common: CommonOptions
    let app: String

    init(_ line: inout OptionReader) {
        common = CommonOptions(&line)
        app = line.option("app", named: "name", default: "default", help: "The app whose users to use.")
    }

    var socketPath: String { common.socketPath }
    var json: Bool { common.json }
    var quiet: Bool { common.quiet }
}

extension OptionReader {
    fileprivate mutating func quiet() -> Bool {
        flag("quiet", "q", help: "Print only errors, questions and what you must act on to standard error.")
    }
}

/// The same form as in the configuration.
typealias DurationText = PosternValues.DurationText

extension DurationText {
    /// Why an option's value is refused.
    static func problem(_ text: String) -> String? { DurationText(text) == nil ? "write 90s, 10m, 1h or 1d" : nil }
}
