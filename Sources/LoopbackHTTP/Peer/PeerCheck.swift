import Glibc

/// Tells whether the other end of a loopback connection belongs to this process's user, or to root.
///
/// Any user of the machine can connect to a loopback address. Root is let in because port forwarders of WSL and containers
/// run as root, and because root can do anything else anyway.
final class PeerCheck {
    private let allowedUsers: Set<UInt32>
    private let diagnostics: SocketDiagnostics?

    /// Nil where the kernel answers in neither way, so that every connection would have to be refused.
    convenience init?() {
        let diagnostics = SocketDiagnostics()
        guard diagnostics != nil || ProcNetTCP.isReadable else { return nil }
        self.init(allowedUsers: [geteuid(), 0], diagnostics: diagnostics)
    }

    /// - Parameter diagnostics: nil where the kernel does not give netlink sockets, as under `RestrictAddressFamilies=`.
    init(allowedUsers: Set<UInt32>, diagnostics: SocketDiagnostics?) {
        self.allowedUsers = allowedUsers
        self.diagnostics = diagnostics
    }

    /// An owner that cannot be found out is a stranger.
    func allows(peer: NetworkEndpoint, local: NetworkEndpoint) -> Bool {
        guard let owner = diagnostics?.owner(of: peer, connectedTo: local) ?? ProcNetTCP.owner(of: peer, connectedTo: local) else {
            return false
        }
        return allowedUsers.contains(owner)
    }
}
