import Glibc
import PosternConfiguration
import PosternDaemon
import PosternInterface
import ProgramOptions

/// What the command line of `posternd` may have.
enum CommandLineOptions {
    static let config = ProgramOption(
        "config", .file, named: "file", help: "The configuration file. (default: $XDG_CONFIG_HOME/postern/config.toml)")
    static let socket = ProgramOption(
        "socket", .file, named: "path", help: "The socket. (default: $POSTERN_SOCKET, then $XDG_RUNTIME_DIR/postern/io.postern)")
    static let listen = ProgramOption(
        "listen", .text, named: "address:port",
        help: "A loopback address for callbacks, instead of the configured ones; may be repeated.", isRepeating: true
    ) {
        DaemonOptions.listenAddress($0) == nil ? "give ADDRESS:PORT, as in 127.0.0.1:7678 or [::1]:7678" : nil
    }
    static let stateDirectory = ProgramOption(
        "state-directory", .directory, named: "directory", help: "The state directory. (default: $XDG_STATE_HOME/postern)")
    static let logLevel = ProgramOption(
        "log-level", .oneOf(Configuration.LogLevel.allCases.map(\.rawValue)), named: "level",
        help: "error, warning, notice, info or debug. (default: what the configuration says)")
    static let checkConfig = ProgramOption(
        "check-config", help: "Checks the configuration, its certificates and its secrets, prints what is wrong, and ends.")
    static let system = ProgramOption(
        "system",
        help: """
            With --check-config: checks only the files for all users in /etc/postern and /usr/share/postern/providers.d; with --config, that \
            file and the config.d beside it as if they were in /etc/postern.
            """)
    /// With `--check-config`, by `postern doctor`: the environment is not the daemon's.
    static let elsewhere = ProgramOption("elsewhere", isHidden: true)
    static let forgetKey = ProgramOption(
        "forget-key",
        help: """
            Removes the key of the store in the state directory from the keyring, and ends. The store can never be read again; for \
            uninstallers.
            """)

    /// How `postern provider certificate` has loopback.crt, loopback.key and loopback-authority.crt made in a directory.
    static let makeCertificate = ProgramOption("make-certificate", .directory, named: "directory", isHidden: true)
    /// With `--make-certificate`: over those that are there.
    static let replace = ProgramOption("replace", isHidden: true)
    /// How the daemon runs itself to ask the desktop portal.
    static let openWithPortal = ProgramOption("open-with-portal", isHidden: true)
    /// The same for notifications.
    static let notifyWithPortal = ProgramOption("notify-with-portal", isHidden: true)

    static let table = OptionTable(
        program: "posternd",
        abstract: "Receives OAuth sign-ins for the programs of one user.",
        discussion: """
            Usually started by systemd when a program or a browser needs it:

              systemctl --user enable --now postern.socket postern-callback.socket

            By hand, with its own sockets:

              posternd --config my.toml --socket /tmp/me/postern --listen 127.0.0.1:7678

            Ends with status 78 if the configuration is refused, 1 if it cannot serve.
            """,
        version: Release.version,
        options: [
            config, socket, listen, stateDirectory, logLevel, checkConfig, system, elsewhere, makeCertificate, replace, forgetKey,
            openWithPortal, notifyWithPortal,
        ])

    static func daemonOptions(_ given: OptionValues) -> DaemonOptions {
        var options = DaemonOptions(environment: environment())
        options.configurationFile = given.text(config)
        options.socketPath = given.text(socket)
        options.listen = given.texts(listen).compactMap(DaemonOptions.listenAddress)
        options.stateDirectory = given.text(stateDirectory)
        options.logLevel = given.text(logLevel).flatMap { Configuration.LogLevel(rawValue: $0) }
        return options
    }

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}
