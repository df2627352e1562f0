import NIOCore
import PosternCore

/// Which of a host's addresses a request may go to.
///
/// What is judged is what is then connected to: a name that is looked up once more may have other addresses by then.
struct AddressCheck: Sendable {
    /// Those that are left.
    struct Permitted: Equatable, Sendable {
        var addresses: [SocketAddress]
        /// The rule's host, where all must be public; nil where any address is good.
        var publicFor: String?

        /// The last word, for the end of the connection itself.
        func check(_ end: SocketAddress) throws(AddressRefusal) {
            if let publicFor, end.speciality != nil { throw AddressRefusal(address: end, source: publicFor) }
        }
    }

    let rule: AddressRule
    let lookups: HostLookups

    /// - Parameter addresses: of the host, at least one.
    /// - Returns: at least one; fails with an ``AddressRefusal``.
    func permitted(_ addresses: [SocketAddress], of host: String) -> EventLoopFuture<Permitted> {
        guard case .publicUnless(let source) = rule else {
            return lookups.eventLoop.makeSucceededFuture(Permitted(addresses: addresses))
        }
        return sourceAddresses(source, addresses, of: host).flatMapThrowing {
            try Self.permitted(addresses, source: source, sourceAddresses: $0)
        }
    }

    /// The rule's own host is looked up only where it decides.
    private func sourceAddresses(_ source: String, _ addresses: [SocketAddress], of host: String) -> EventLoopFuture<[SocketAddress]> {
        // One answer for both: with two look-ups the same name could be private in the one and elsewhere in the other.
        if source == host || addresses.allSatisfy({ $0.speciality == nil }) { return lookups.eventLoop.makeSucceededFuture(addresses) }
        let name = IPAddress.isLoopback(source) ? "127.0.0.1" : source
        return lookups.addresses(of: name, port: 0).flatMapErrorThrowing { _ in [] }
    }

    /// - Parameter sourceAddresses: of the rule's host. None if they are not known, which lifts nothing.
    static func permitted(
        _ addresses: [SocketAddress], source: String, sourceAddresses: [SocketAddress]
    ) throws(AddressRefusal) -> Permitted {
        if !sourceAddresses.isEmpty, sourceAddresses.allSatisfy({ $0.speciality != nil }) { return Permitted(addresses: addresses) }
        let left = addresses.filter { $0.speciality == nil }
        guard left.isEmpty else { return Permitted(addresses: left, publicFor: source) }
        throw AddressRefusal(address: addresses.first, source: source)
    }
}

/// Why an address is not connected to. Continues after the host's name.
struct AddressRefusal: Error, CustomStringConvertible {
    var address: SocketAddress?
    /// The rule's host.
    var source: String

    var description: String {
        let address = address.map { "\($0.ipAddress ?? "unknown") is \($0.speciality ?? "public")" } ?? "is unknown"
        return "its address \(address), and a URL that '\(source)' leads to must have a public one"
    }
}
