/// The `ssh` command that brings the redirect from the person's own machine to this one.
struct TunnelAdvice: Equatable, Sendable {
    var command: String

    /// - Parameters:
    ///   - redirectURI: where the provider will send the browser; its port is the one to forward.
    ///   - hostName: stands in where the login does not tell the machine's address.
    init?(redirectURI: String, user: String, remoteLogin: Place.RemoteLogin?, hostName: String) {
        // A page elsewhere hands the answer on to a port that is not known here.
        guard let address = WebAddress(redirectURI), address.isLoopback else { return nil }
        let target = address.host == "localhost" ? "127.0.0.1" : address.bracketedHost
        let host = remoteLogin?.serverAddress ?? hostName
        let port = remoteLogin?.serverPort.flatMap { $0 == 22 ? nil : "-p \($0) " } ?? ""
        command = "ssh -L \(address.port):\(target):\(address.port) \(port)\(user)@\(host)"
    }
}
