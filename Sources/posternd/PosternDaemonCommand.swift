import ArgumentParser
import Glibc
import PosternConfiguration
import PosternDaemon
import PosternInterface

@main
struct PosternDaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "posternd",
        abstract: "Receives OAuth sign-ins for the programs of one user.",
        discussion: """
            Usually started by systemd when a program or a browser needs it:

              systemctl --user enable --now postern.socket postern-callback.socket

            By hand, with sockets of its own:

              posternd --config ./config.toml --socket /tmp/me/postern --listen 127.0.0.1:7678

            Ends with status 78 where the configuration is not taken, 1 where it cannot serve.
            """,
        version: Release.version)

    @Option(help: ArgumentHelp("The configuration file. (default: $XDG_CONFIG_HOME/postern/config.toml)", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The socket. (default: $POSTERN_SOCKET, then $XDG_RUNTIME_DIR/postern/io.postern)", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "A loopback address for callbacks, in place of the configured ones; may be given again.", valueName: "address:port"),
        transform: { text in
            guard let address = DaemonOptions.ListenAddress(text) else {
                throw ValidationError("\(text) is not ADDRESS:PORT; write 127.0.0.1:7678 or [::1]:7678")
            }
            return address
        })
    var listen: [DaemonOptions.ListenAddress] = []

    @Option(help: ArgumentHelp("Where the store is. (default: $XDG_STATE_HOME/postern)", valueName: "directory"))
    var stateDirectory: String?

    @Option(help: ArgumentHelp("error, warning, notice, info or debug.", valueName: "level"))
    var logLevel: Configuration.LogLevel?

    @Flag(help: "Reads the configuration, its certificates and its secrets, says what is wrong with them, and ends.")
    var checkConfig = false

    /// How `postern provider certificate` has loopback.crt, loopback.key and loopback-authority.crt made in a directory.
    @Option(help: .hidden)
    var makeCertificate: String?

    /// With `--make-certificate`: over those that are there.
    @Flag(help: .hidden)
    var replace = false

    @Flag(
        help: """
            Removes the key of the store in the state directory from the keyring, and ends. Nobody can read the store again; for \
            uninstallers.
            """)
    var forgetKey = false

    /// How the daemon runs itself to ask the desktop portal.
    @Flag(help: .hidden)
    var openWithPortal = false

    /// The same for notifications.
    @Flag(help: .hidden)
    var notifyWithPortal = false

    func run() throws {
        if openWithPortal { return Daemon.openWithPortal() }
        if notifyWithPortal { return Daemon.notifyWithPortal() }
        if let makeCertificate { throw ExitCode(Daemon.makeCertificate(in: makeCertificate, replacing: replace)) }
        let options = DaemonOptions(
            configurationFile: config, socketPath: socket, listen: listen, stateDirectory: stateDirectory, logLevel: logLevel,
            environment: Self.environment())
        if forgetKey { throw ExitCode(Daemon.forgetKey(options)) }
        guard checkConfig else { Daemon.run(options) }
        throw ExitCode(Daemon.checkConfiguration(options))
    }

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
            entry += 1
        }
        return variables
    }
}

extension Configuration.LogLevel: ExpressibleByArgument {}
