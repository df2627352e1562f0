import NIOCore
import PosternCore
import PosternCrypto

/// A request that takes one of the places of those that may be open at once.
protocol PlaceTaker: AnyObject {
    /// There is a place.
    func begin()
}

/// The connections of a client: how many may be in use, and those that are kept for a moment after their request. On the event loop.
final class ConnectionPool {
    static let mostInUse = 100
    static let mostWaiting = 256
    /// As many as the calls that a program has under way at once: fewer would cost the others a handshake each time.
    static let mostKept = 64
    /// Shorter than what common servers allow (5 s with Node and Apache), so that few are closed just when they are used.
    static let longestKept = TimeAmount.seconds(4)

    private struct Kept {
        let connection: Connection
        let destination: Destination
        let expiry: Scheduled<Void>
    }

    private let configuration: HTTPSClientConfiguration
    private let lookups: HostLookups
    private let publicHosts: NIOLoopBoundBox<PublicHosts>
    private var contexts = TLSContexts()
    private var inUse = 0
    private var waiting: [any PlaceTaker] = []
    /// The one that was used last is at the end.
    private var kept: [Kept] = []

    init(eventLoop: any EventLoop, configuration: HTTPSClientConfiguration) {
        self.configuration = configuration
        lookups = HostLookups(eventLoop: eventLoop)
        publicHosts = .makeBoxSendingValue(PublicHosts(), eventLoop: eventLoop)
    }

    // MARK: Places

    /// Begins the request as soon as there is a place for it; false if too many wait already.
    func enter(_ request: any PlaceTaker) -> Bool {
        guard inUse >= Self.mostInUse else {
            inUse += 1
            request.begin()
            return true
        }
        guard waiting.count < Self.mostWaiting else { return false }
        waiting.append(request)
        return true
    }

    /// The request, which had entered, is over. Its place goes to the one that waits longest.
    func leave(_ request: any PlaceTaker) {
        if let index = waiting.firstIndex(where: { $0 === request }) {
            waiting.remove(at: index)
        } else if waiting.isEmpty {
            inUse -= 1
        } else {
            let next = waiting.removeFirst()
            lookups.eventLoop.assumeIsolated().execute { next.begin() }
        }
    }

    // MARK: Connections

    func attempt(to destination: Destination, timeout: TimeAmount) throws(ExchangeFailure) -> ConnectionAttempt {
        ConnectionAttempt(
            to: destination, by: try configuration.proxies.proxy(for: destination.url),
            addresses: AddressCheck(rule: destination.addresses, lookups: lookups, publicHosts: publicHosts), timeout: timeout,
            userAgent: configuration.userAgent, tls: { try self.contexts.context(destination.authorities) })
    }

    /// A kept connection, which is then the caller's.
    func take(to destination: Destination) -> Connection? {
        while let index = kept.lastIndex(where: { $0.destination == destination }) {
            let connection = remove(at: index)
            if connection.isQuiet { return connection }
            connection.close()
        }
        return nil
    }

    /// Keeps a connection whose answer is complete.
    func keep(_ connection: Connection, to destination: Destination, for time: TimeAmount) {
        let loop = lookups.eventLoop.assumeIsolated()
        // In the next turn: what came behind the answer, and closes the connection, is still being read.
        loop.execute {
            guard connection.channel.isActive else { return }
            if self.kept.count >= Self.mostKept { self.remove(at: 0).close() }
            connection.lost = { self.forget(connection) }
            let expiry = loop.scheduleTask(in: time) {
                self.forget(connection)
                connection.close()
            }
            self.kept.append(Kept(connection: connection, destination: destination, expiry: expiry))
        }
    }

    private func forget(_ connection: Connection) {
        if let index = kept.firstIndex(where: { $0.connection === connection }) { _ = remove(at: index) }
    }

    private func remove(at index: Int) -> Connection {
        let entry = kept.remove(at: index)
        entry.expiry.cancel()
        entry.connection.lost = nil
        return entry.connection
    }
}
