/// Where the command runs: beside the person's browser, or far from it.
struct Place: Equatable, Sendable {
    /// A login from another machine.
    struct RemoteLogin: Equatable, Sendable {
        /// The address of this machine as the other side reached it; nil where it is not told.
        var serverAddress: String?
        var serverPort: Int?
    }

    var hasDisplay: Bool
    var remoteLogin: RemoteLogin?

    init(environment: [String: String]) {
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
