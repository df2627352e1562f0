import ChannelAdmission
import Glibc
import NIOCore
import NIOPosix

/// Opens TCP connections: to an address directly, to a name by resolving it and trying IPv6 and IPv4 (RFC 8305).
struct Connector {
    let eventLoop: any EventLoop
    let lookups: NIOLoopBoundBox<Int>
    let timeout: TimeAmount

    func connect(host: String, port: Int) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try channel.keepFromOtherPrograms() } }
        // An address needs no thread to resolve it.
        if let address = try? SocketAddress(ipAddress: host, port: port) { return bootstrap.connect(to: address) }
        return bootstrap.resolver(HostResolver(eventLoop: eventLoop, running: lookups)).connect(host: host, port: port)
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
            if let last = error.connectionErrors.last { return failure(.connect, reason(last.error)) }
            // Both look-ups were one call, with one answer.
            let answer = error.dnsAAAAError ?? error.dnsAError
            return failure(.nameResolution, (answer as? LookupError)?.description ?? "its name has no address")
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

extension SocketAddress {
    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool { ipAddress.map(IPAddress.isLoopback) ?? false }
}
