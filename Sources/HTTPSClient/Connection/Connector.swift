import ChannelAdmission
import Glibc
import NIOCore
import NIOPosix

/// Opens TCP connections: to one address directly, to several by trying IPv6 and IPv4 (RFC 8305).
struct Connector {
    let eventLoop: any EventLoop
    let timeout: TimeAmount

    /// - Parameter addresses: of the host, at least one.
    func connect(to addresses: [SocketAddress], host: String, port: Int) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            // A peer that vanished is noticed within a minute, also by who only waits: after a sleep, or behind a router that forgot.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)), value: 30)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL)), value: 10)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPCNT)), value: 3)
            .channelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)), value: 60_000)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try channel.keepFromOtherPrograms() } }
        if addresses.count == 1, let only = addresses.first { return bootstrap.connect(to: only) }
        return bootstrap.resolver(KnownAddresses(addresses, eventLoop)).connect(host: host, port: port)
    }

    /// The sentence continues after the host's name.
    ///
    /// - Parameter port: where the connection was to go. A wrong one is a common cause.
    static func failure(_ error: any Error, port: Int, proxy: ProxyEndpoint?) -> ExchangeFailure {
        let place = proxy.map { " by way of the proxy '\($0.host)'" } ?? ""
        let way = "\(place) at port \(port)"
        func failure(_ kind: HTTPSClientError.Kind, _ reason: String) -> ExchangeFailure {
            ExchangeFailure(proxy == nil ? kind : .proxy, "cannot be reached\(kind == .nameResolution ? place : way): \(reason)")
        }
        switch error {
        case let error as NIOConnectionError:
            return failure(.connect, error.connectionErrors.last.map { reason($0.error) } ?? "it has no address")
        case let error as LookupError: return failure(.nameResolution, error.description)
        case let error as AddressRefusal: return ExchangeFailure(.addressRefused, "is not contacted: \(error)")
        case ChannelError.connectTimeout:
            return ExchangeFailure(.connectTimeout, "cannot be reached\(way): no connection in time")
        default:
            return failure(.connect, reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? IOError)?.sentence ?? "\(error)"
    }
}

extension IOError {
    /// The system's message: "Connection refused".
    var sentence: String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errnoCode, &buffer, buffer.count) == 0 else { return "error \(errnoCode)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Gives Happy Eyeballs what was looked up, and checked, before.
private struct KnownAddresses: Resolver, Sendable {
    private let v4: EventLoopFuture<[SocketAddress]>
    private let v6: EventLoopFuture<[SocketAddress]>

    init(_ addresses: [SocketAddress], _ eventLoop: any EventLoop) {
        v4 = eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet })
        v6 = eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet6 })
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4 }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v6 }

    func cancelQueries() {}
}
