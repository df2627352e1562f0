/// Where the command runs: beside the person's browser, or far from it.
struct Place: Equatable, Sendable {
    /// A login from another machine.
    struct RemoteLogin: Equatable, Sendable {
        /// The address of this machine as the other side reached it; nil where it is not told.
        var serverAddress: String?
        var serverPort: Int?
    }

    /// What else keeps a browser's answer from finding its way to this machine's loopback address.
    enum Enclosure: Equatable, Sendable {
        /// The Windows Subsystem for Linux: the browser is Windows'.
        case wsl
        /// A container has a loopback address of its own.
        case container
    }

    var hasDisplay: Bool
    var remoteLogin: RemoteLogin?
    var enclosure: Enclosure?

    /// - Parameter hasFile: whether something is at a path; some containers can be told by a file alone.
    init(environment: [String: String], hasFile: (String) -> Bool = { FileStatus(path: $0) != nil }) {
        func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
        if isSet("WSL_DISTRO_NAME") || isSet("WSL_INTEROP") {
            enclosure = .wsl
        } else if isSet("container") || hasFile("/run/.containerenv") || hasFile("/.dockerenv") {
            enclosure = .container
        }
        hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        // sshd(8): client address, client port, server address, server port.
        let parts = (environment["SSH_CONNECTION"] ?? "").split(separator: " ")
        if parts.count == 4 {
            remoteLogin = RemoteLogin(serverAddress: String(parts[2]), serverPort: Int(parts[3]))
        } else if !(environment["SSH_TTY"] ?? "").isEmpty {
            remoteLogin = RemoteLogin(serverAddress: nil, serverPort: nil)
        }
    }

    /// A forwarded display over SSH does not count: a browser started there would run on this machine, without the person's
    /// passwords and sessions.
    var canOpenBrowser: Bool { hasDisplay && remoteLogin == nil }
}
