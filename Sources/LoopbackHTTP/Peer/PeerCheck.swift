import Glibc

/// What the kernel reports about the owner of a socket.
enum SocketOwner: Hashable, Sendable {
    case user(UInt32)
    /// There is no such socket, or it has no owner now.
    case nobody
    /// This source is not available.
    case unavailable
}

/// Decides whether the other end of a loopback connection belongs to this process's user, or to root.
///
/// Any user of the machine can connect to a loopback address. Root is accepted because port forwarders of WSL and containers run as root,
/// and because root can do anything else anyway.
final class PeerCheck {
    enum Verdict: Hashable, Sendable {
        case allowed
        /// - Parameter user: nil if the other end belongs to nobody.
        case foreign(user: UInt32?)
    }

    typealias LookUp = (_ peer: NetworkEndpoint, _ local: NetworkEndpoint) -> SocketOwner

    private let allowedUsers: Set<UInt32>
    private let diagnostics: LookUp
    private let table: LookUp

    /// Nil if the kernel answers in neither way, so that every connection would have to be refused.
    convenience init?() {
        let diagnostics = SocketDiagnostics()
        guard diagnostics != nil || ProcNetTCP.isReadable else { return nil }
        self.init(allowedUsers: [geteuid(), 0], diagnostics: { diagnostics?.owner(of: $0, connectedTo: $1) ?? .unavailable })
    }

    /// - Parameters:
    ///   - diagnostics: asked first.
    ///   - table: asked only if the first is unavailable: it reads up to some megabytes for one connection, and making connections costs
    ///     nothing.
    init(
        allowedUsers: Set<UInt32>, diagnostics: @escaping LookUp,
        table: @escaping LookUp = { ProcNetTCP.owner(of: $0, connectedTo: $1) }
    ) {
        self.allowedUsers = allowedUsers
        self.diagnostics = diagnostics
        self.table = table
    }

    /// Of a Unix socket, whose other end the kernel remembers.
    static func verdict(unix user: UInt32) -> Verdict { user == geteuid() || user == 0 ? .allowed : .foreign(user: user) }

    /// An unknown owner counts as foreign.
    func verdict(peer: NetworkEndpoint, local: NetworkEndpoint) -> Verdict {
        var owner = diagnostics(peer, local)
        if owner == .unavailable { owner = table(peer, local) }
        return switch owner {
        case .user(let user): allowedUsers.contains(user) ? .allowed : .foreign(user: user)
        case .nobody, .unavailable: .foreign(user: nil)
        }
    }
}
