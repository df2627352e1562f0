import ArgumentParser
import PosternClient

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's socket. Else $POSTERN_SOCKET, else the one in $XDG_RUNTIME_DIR.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the reply's parameters as one JSON document.")
    var json = false

    @Option(help: ArgumentHelp("The app whose users are meant.", valueName: "name"))
    var app = "default"

    var socketPath: String { socket ?? SocketPath.current }
}
