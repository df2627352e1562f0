import PosternCore
import PosternCrypto

/// Where a connection leads, and what it was checked against: requests for which these are equal can share it. Its proxy follows from the
/// URL.
struct Destination: Hashable {
    /// Of which the scheme, the host and the port count.
    let url: EndpointURL
    let addresses: AddressRule
    let authorities: Authorities

    static func == (left: Destination, right: Destination) -> Bool {
        left.url.scheme == right.url.scheme && left.url.host == right.url.host && left.url.port == right.url.port
            && left.addresses == right.addresses && left.authorities == right.authorities
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(url.host)
        hasher.combine(url.port)
    }
}

/// Whose certificates are trusted in addition to those of the system's authorities.
enum Authorities: Hashable {
    case system
    /// A PEM file, read again for each connection.
    case file(String)
    /// In PEM.
    case pem(String)
}

/// The TLS contexts in use. Making one costs time, and holding one costs memory: connections share it, and it goes with the last of them.
struct TLSContexts {
    private struct Weak { weak var context: TLSContext? }
    private var made: [Authorities: Weak] = [:]

    mutating func context(_ authorities: Authorities) throws(TLSError) -> TLSContext {
        if let context = made[authorities]?.context { return context }
        let context: TLSContext
        switch authorities {
        case .system: context = try TLSContext.client()
        case .file(let path): return try TLSContext.client(extraAuthorities: path)
        case .pem(let text): context = try TLSContext.client(authorities: text)
        }
        made = made.filter { $0.value.context != nil }
        made[authorities] = Weak(context: context)
        return context
    }
}
