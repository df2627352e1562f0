import ArgumentParser
import PosternClient
import PosternValues

/// What a command knows of its environment, whichever of the option groups below it has.
protocol CommandOptions {
    var socketPath: String { get }
    var json: Bool { get }
    var quiet: Bool { get }
}

/// For a command that calls the daemon and prints no document.
struct ConnectionOptions: ParsableArguments, CommandOptions, PlainOptions {
    @Option(
        help: ArgumentHelp("The daemon's socket. (default: $POSTERN_SOCKET, then the one in $XDG_RUNTIME_DIR)", valueName: "path"),
        completion: .file())
    var socket: String?

    @OptionGroup private var quietness: QuietOption

    mutating func take(from line: inout PlainLine) {
        socket = line.option("--socket")
        quietness = QuietOption(plain: &line)
        line.check { try validate() }
    }

    mutating func validate() throws {
        if socket == "" { throw ValidationError("--socket needs a path") }
    }

    var socketPath: String { socket ?? SocketPath.current }
    var json: Bool { false }
    var quiet: Bool { quietness.quiet }
}

/// For a command that prints something and needs no daemon.
struct OutputOptions: ParsableArguments, CommandOptions, PlainOptions {
    @Flag(help: "Print the result, or the error, as one JSON document.")
    var json = false

    @OptionGroup private var quietness: QuietOption

    mutating func take(from line: inout PlainLine) {
        json = line.flag("--json")
        quietness = QuietOption(plain: &line)
    }

    var socketPath: String { SocketPath.current }
    var quiet: Bool { quietness.quiet }
}

/// For most commands.
struct CommonOptions: ParsableArguments, CommandOptions, PlainOptions {
    @OptionGroup private var connection: ConnectionOptions

    @Flag(help: "Print the reply's parameters, or the error, as one JSON document.")
    var json = false

    mutating func take(from line: inout PlainLine) {
        connection = ConnectionOptions(plain: &line)
        json = line.flag("--json")
    }

    var socket: String? { connection.socket }
    var socketPath: String { connection.socketPath }
    var quiet: Bool { connection.quiet }
}

/// For a command about an app's user.
struct UserOptions: ParsableArguments, CommandOptions, PlainOptions {
    @OptionGroup private var common: CommonOptions

    @Option(help: ArgumentHelp("The app whose users to use.", valueName: "name"))
    var app = "default"

    mutating func take(from line: inout PlainLine) {
        common = CommonOptions(plain: &line)
        app = line.option("--app") ?? "default"
    }

    var socketPath: String { common.socketPath }
    var json: Bool { common.json }
    var quiet: Bool { common.quiet }
}

struct QuietOption: ParsableArguments, PlainOptions {
    @Flag(name: .shortAndLong, help: "Print only errors, questions and what you must act on to standard error.")
    var quiet = false

    mutating func take(from line: inout PlainLine) {
        quiet = line.flag("--quiet") || line.flag("-q")
    }
}

/// The same form as in the configuration.
typealias DurationText = PosternValues.DurationText

extension DurationText {
    /// As the value of an option, with an error that says what is expected.
    init(option: String) throws {
        guard let duration = DurationText(option) else {
            throw ValidationError("'\(option)' is not a duration: write 90s, 10m, 1h or 1d")
        }
        self = duration
    }
}
