import NIOCore

/// The values of `Host` that mean this server: the addresses it listens on, and `localhost`, each with its port.
///
/// If any other name points here, someone else made it do so (DNS rebinding), and what the browser would then treat as that name's page
/// must not be ours.
struct ServedAuthorities: Sendable {
    private let authorities: Set<String>

    init(addresses: [SocketAddress], isTLS: Bool) {
        var authorities: Set<String> = []
        for address in addresses {
            guard let port = address.port, let host = address.ipAddress else { continue }
            let hosts: [String]
            switch address {
            // To a browser a mapped address is the plain one.
            case .v6: hosts = ["[\(host)]"] + (host.rest(after: "::ffff:").map { [String($0)] } ?? [])
            default: hosts = [host]
            }
            for host in hosts + ["localhost"] {
                authorities.insert("\(host):\(port)")
                // The port may be omitted if it is the scheme's default (RFC 9110 section 4.2).
                if port == (isTLS ? 443 : 80) { authorities.insert(host) }
            }
        }
        self.authorities = authorities
    }

    func contains(_ host: String?) -> Bool {
        guard let host else { return false }
        return authorities.contains(host.lowercased())
    }
}
