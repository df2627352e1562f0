import NIOCore

/// Looks names up with the system, each on a thread that exists only for it.
///
/// NIO's own resolver puts all look-ups of an event loop in one queue: a name server that does not answer would delay the requests to every
/// other provider as long as `getaddrinfo` tries.
struct HostLookups: Sendable {
    /// Simultaneous look-ups. Each occupies a thread until the system gives up, half a minute and more.
    static let maximum = 16

    let eventLoop: any EventLoop
    /// How many are under way.
    private let running: NIOLoopBoundBox<Int>

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        running = .makeBoxSendingValue(0, eventLoop: eventLoop)
    }

    /// Of a name, or of an address, which needs no thread: at least one; fails with a ``LookupError``. `getaddrinfo` cannot be cancelled.
    func addresses(of host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        if let address = try? SocketAddress(ipAddress: host, port: port) { return eventLoop.makeSucceededFuture([address]) }
        guard running.value < Self.maximum else {
            return eventLoop.makeFailedFuture(
                LookupError(description: "too many names are being looked up; the name server may be down"))
        }
        let promise = eventLoop.makePromise(of: [SocketAddress].self)
        running.value += 1
        let lookup = HostLookup(host: host, port: port) { [eventLoop, running] answer in
            eventLoop.execute {
                running.value -= 1
                switch answer {
                case .success(let addresses) where addresses.isEmpty: promise.fail(LookupError(description: "its name has no address"))
                case .success(let addresses): promise.succeed(addresses)
                case .failure(let error): promise.fail(error)
                }
            }
        }
        guard lookup.start() else {
            running.value -= 1
            promise.fail(LookupError(description: "the system has no thread left to look its name up"))
            return promise.futureResult
        }
        return promise.futureResult
    }
}

/// Why a name has no address.
struct LookupError: Error, CustomStringConvertible {
    var description: String
}
