/// Where the command runs: on the same machine as the user's browser, or elsewhere.
struct TerminalLocation: Equatable, Sendable {
    /// A login from another machine.
    struct RemoteLogin: Equatable, Sendable {
        /// The address of this machine that the client connected to; nil if it is not known.
        var serverAddress: String?
        var serverPort: Int?
    }

    /// What else prevents a browser's response from reaching this machine's loopback address.
    enum Enclosure: Equatable, Sendable {
        /// The Windows Subsystem for Linux: the browser runs in Windows.
        case wsl
        /// A container has its own loopback address.
        case container
    }

    var hasDisplay: Bool
    var remoteLogin: RemoteLogin?
    var enclosure: Enclosure?

    /// - Parameter hasFile: whether there is a file at a path; some containers can be recognised only by a file.
    init(variable: (String) -> String?, hasFile: (String) -> Bool = { FileStatus(path: $0) != nil }) {
        func isSet(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
        if isSet("WSL_DISTRO_NAME") || isSet("WSL_INTEROP") {
            enclosure = .wsl
        } else if isSet("container") || hasFile("/run/.containerenv") || hasFile("/.dockerenv") {
            enclosure = .container
        }
        hasDisplay = isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")
        // sshd(8): client address, client port, server address, server port.
        let parts = (variable("SSH_CONNECTION") ?? "").parts(separator: " ")
        if parts.count == 4 {
            remoteLogin = RemoteLogin(serverAddress: String(parts[2]), serverPort: Int(parts[3]))
        } else if isSet("SSH_TTY") {
            remoteLogin = RemoteLogin(serverAddress: nil, serverPort: nil)
        }
    }

    /// That of this command.
    static var current: TerminalLocation { TerminalLocation(variable: ProcessEnvironment.variable) }

    /// A display forwarded over SSH does not count: the browser would run on this machine, without the user's passwords
    /// and sessions.
    var canOpenBrowser: Bool { hasDisplay && remoteLogin == nil }
}

/// The `ssh` command that forwards the redirect from the user's own machine to this one.
struct TunnelAdvice: Equatable, Sendable {
    var command: String

    /// - Parameters:
    ///   - redirectURI: where the provider will send the browser; its port is to be forwarded.
    ///   - hostName: used if the login does not give the machine's address.
    init?(redirectURI: String, user: String, remoteLogin: TerminalLocation.RemoteLogin?, hostName: String) {
        // A page elsewhere forwards the response to a port that is not known here.
        guard let address = WebAddress(redirectURI), address.isLoopback else { return nil }
        let target = address.host == "localhost" ? "127.0.0.1" : address.bracketedHost
        let host = remoteLogin?.serverAddress ?? hostName
        let port = remoteLogin?.serverPort.flatMap { $0 == 22 ? nil : "-p \($0) " } ?? ""
        command = "ssh -L \(address.port):\(target):\(address.port) \(port)\(user)@\(host)"
    }
}

/// The text printed with the address if the browser is on this machine, or next to it, but cannot reach this loopback address.
enum EnclosureAdvice {
    /// Windows' browser can connect, but not as a known process: the check of the caller refuses it.
    static func wsl(takesPastes: Bool) -> [String] {
        [
            "A Windows browser works, too. When it ends at a page that does not load, or that says 403,",
            takesPastes
                ? "paste that page's whole address here and press Enter." : "give that page's whole address to: postern open-url -",
            "With same-user = false under [callback] it connects by itself.",
        ]
    }

    /// A tunnel may lead into it nevertheless: many containers are logged in to like machines.
    static let container = ["This is a container: a browser outside cannot reach it by itself."]
}
