import ArgumentParser
import PosternClient

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The daemon's socket. Else $POSTERN_SOCKET, else the one in $XDG_RUNTIME_DIR.", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(help: "Print the reply's parameters as one JSON document.")
    var json = false

    @Option(help: ArgumentHelp("The app whose users are meant.", valueName: "name"))
    var app = "default"

    var socketPath: String { socket ?? SocketPath.current }
}

/// `90s`, `10m`, `1h`: the same form as in the configuration.
struct DurationText: Equatable, Sendable {
    var seconds: Int

    init?(_ text: String) {
        guard let unit = text.last, let factor = ["s": 1, "m": 60, "h": 3600][unit] else { return nil }
        let digits = text.dropLast()
        // Five digits are a day in seconds; anything longer is no duration that is meant here.
        guard (1...5).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits) else { return nil }
        seconds = count * factor
    }
}

extension DurationText {
    /// As the value of an option, with a word on what is wanted.
    init(option: String) throws {
        guard let duration = DurationText(option) else {
            throw ValidationError("'\(option)' is no duration: write 90s, 10m or 1h")
        }
        self = duration
    }
}
