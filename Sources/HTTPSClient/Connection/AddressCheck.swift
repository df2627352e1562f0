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
            if let publicFor, end.specialPurpose != nil { throw AddressRefusal(address: end, source: publicFor) }
        }
    }

    let rule: AddressRule
    let lookups: HostLookups
    let publicHosts: NIOLoopBoundBox<PublicHosts>

    /// - Parameter addresses: of the host, at least one.
    /// - Returns: at least one; fails with an ``AddressRefusal``.
    func permitted(_ addresses: [SocketAddress], of host: String) -> EventLoopFuture<Permitted> {
        guard case .publicUnless(let source) = rule else {
            return lookups.eventLoop.makeSucceededFuture(Permitted(addresses: addresses))
        }
        return isLifted(source, addresses, of: host).flatMapThrowing { try Self.permitted(addresses, source: source, isLifted: $0) }
    }

    /// The rule's own host is looked up only where it decides. A look-up that fails lifts nothing.
    private func isLifted(_ source: String, _ addresses: [SocketAddress], of host: String) -> EventLoopFuture<Bool> {
        // One answer for both: with two look-ups the same name could be private in the one and elsewhere in the other.
        if source == host { return lookups.eventLoop.makeSucceededFuture(isPrivate(source, addresses)) }
        if addresses.allSatisfy({ $0.specialPurpose == nil }) { return lookups.eventLoop.makeSucceededFuture(false) }
        let name = IPAddress.isLoopback(source) ? "127.0.0.1" : source
        return lookups.addresses(of: name, port: 0).map { isPrivate(source, $0) }.flatMapErrorThrowing { _ in false }
    }

    private func isPrivate(_ source: String, _ addresses: [SocketAddress]) -> Bool {
        let now = NIODeadline.now()
        guard addresses.allSatisfy({ $0.specialPurpose != nil }) else {
            publicHosts.value.note(source, at: now)
            return false
        }
        return !publicHosts.value.holds(source, at: now)
    }

    static func permitted(_ addresses: [SocketAddress], source: String, isLifted: Bool) throws(AddressRefusal) -> Permitted {
        if isLifted { return Permitted(addresses: addresses) }
        let left = addresses.filter { $0.specialPurpose == nil }
        guard left.isEmpty else { return Permitted(addresses: left, publicFor: source) }
        throw AddressRefusal(address: addresses.first, source: source)
    }
}

/// The rules' hosts that had a public address lately, and so are not private now: whoever runs a public server also runs its name server, and
/// could let it answer otherwise for the moment in which a URL of the server's leads to a private network.
struct PublicHosts: Sendable {
    static let most = 64
    /// Longer than a sign-in takes; short enough for a machine that joins a network in which the same name is private.
    private static let memory = TimeAmount.minutes(10)

    private var seen: [String: NIODeadline] = [:]

    mutating func note(_ host: String, at now: NIODeadline) {
        if seen[host] == nil, seen.count >= Self.most, let oldest = seen.min(by: { $0.value < $1.value }) { seen[oldest.key] = nil }
        seen[host] = now
    }

    func holds(_ host: String, at now: NIODeadline) -> Bool { seen[host].map { now - $0 < Self.memory } ?? false }
}

/// Why an address is not connected to. Continues after the host's name.
struct AddressRefusal: Error, CustomStringConvertible {
    var address: SocketAddress?
    /// The rule's host.
    var source: String

    var description: String {
        let address = address.map { "\($0.ipAddress ?? "unknown") is \($0.specialPurpose ?? "public")" } ?? "is unknown"
        return "its address \(address), and a URL that '\(source)' leads to must have a public one"
    }
}
