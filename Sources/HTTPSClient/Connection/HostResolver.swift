import Glibc
import NIOCore
import NIOPosix

/// Resolves one name with the system, on a thread that exists only for this look-up.
///
/// NIO's own resolver puts all look-ups of an event loop in one queue: a name server that does not answer would delay the requests to every
/// other provider as long as `getaddrinfo` tries.
final class HostResolver: Resolver, Sendable {
    /// Simultaneous look-ups. Each occupies a thread until the system gives up, half a minute and more.
    static let maximumLookups = 16

    private let eventLoop: any EventLoop
    private let running: NIOLoopBoundBox<Int>
    private let v4: EventLoopPromise<[SocketAddress]>
    private let v6: EventLoopPromise<[SocketAddress]>

    /// - Parameter running: how many look-ups are under way, for all resolvers of a client.
    init(eventLoop: any EventLoop, running: NIOLoopBoundBox<Int>) {
        self.eventLoop = eventLoop
        self.running = running
        v4 = eventLoop.makePromise()
        v6 = eventLoop.makePromise()
    }

    /// One call answers both look-ups; it is made for the other one, which NIO always requests.
    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4.futureResult }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        guard running.value < Self.maximumLookups else {
            finish(.failure(LookupError(description: "too many names are being looked up; the name server may be down")))
            return v6.futureResult
        }
        running.value += 1
        let lookup = HostLookup(host: host, port: port) { [self] answer in
            eventLoop.execute { [self] in
                running.value -= 1
                finish(answer)
            }
        }
        guard lookup.start() else {
            running.value -= 1
            finish(.failure(LookupError(description: "the system has no thread left to look its name up")))
            return v6.futureResult
        }
        return v6.futureResult
    }

    /// `getaddrinfo` cannot be cancelled; its answer will be ignored.
    func cancelQueries() {}

    /// Both in one turn of the event loop, so that IPv6 and IPv4 start at the same time.
    private func finish(_ answer: Result<[SocketAddress], LookupError>) {
        switch answer {
        case .success(let addresses):
            v6.succeed(addresses.filter { $0.protocol == .inet6 })
            v4.succeed(addresses.filter { $0.protocol == .inet })
        case .failure(let error):
            v6.fail(error)
            v4.fail(error)
        }
    }
}

/// Why a name has no address.
struct LookupError: Error, CustomStringConvertible {
    var description: String
}
