import PosternClient
import PosternValues
import ProgramOptions
import StrictJSON

/// What each command knows of its environment, whichever of the option groups below it has.
struct CommonOptions {
    var socket: String?
    var json = false
    var quiet = false
    /// The app on the command line.
    var givenApp: String?

    /// The app whose user the command is about.
    var app: String { givenApp ?? "default" }

    /// Ends a sentence about a user where the command line does not say whose it is.
    var inApp: String { givenApp == nil ? " in the app \(app)" : "" }

    var socketPath: String { socket ?? SocketPath.current }

    /// With `--json` the reply is printed unchanged, and nil returned.
    func reply<Reply: InterfaceObject>(_ type: Reply.Type, from object: JSONObject) throws -> Reply? {
        guard json else { return try PosternConnection.read(type, from: object) }
        try StandardOutput.write(document: object)
        return nil
    }
}

extension OptionReader {
    /// For a command that calls the daemon and prints no document.
    mutating func connectionOptions() -> CommonOptions {
        let socket = option(
            "socket", .file, named: "path", help: "The daemon's socket. (default: $POSTERN_SOCKET, then the one in $XDG_RUNTIME_DIR)",
            ifEmpty: "needs a path")
        return CommonOptions(socket: socket, quiet: quiet())
    }

    /// For a command that prints something and needs no daemon.
    mutating func outputOptions() -> CommonOptions {
        CommonOptions(json: flag("json", help: "Print the result, or the error, as one JSON document."), quiet: quiet())
    }

    /// For most commands.
    mutating func commonOptions() -> CommonOptions {
        var options = connectionOptions()
        options.json = flag("json", help: "Print the reply's parameters, or the error, as one JSON document.")
        return options
    }

    /// For a command about an app's user.
    mutating func userOptions(help: String = "The app whose users to use. (default: default)") -> CommonOptions {
        var options = commonOptions()
        options.givenApp = option("app", named: "name", help: help)
        return options
    }

    private mutating func quiet() -> Bool {
        flag("quiet", "q", help: "Print only errors, questions and what you must act on to standard error.")
    }
}

/// The same form as in the configuration.
typealias DurationText = PosternValues.DurationText

extension DurationText {
    /// Why an option's value is refused.
    static func problem(_ text: String) -> String? { DurationText(text) == nil ? "write 90s, 10m, 1h or 1d" : nil }
}
