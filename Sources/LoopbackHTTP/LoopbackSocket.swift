import Glibc
import NIOCore

/// A listening socket at a loopback address, or at a path. Connections wait in its queue until it is served.
public struct LoopbackSocket: Sendable {
    /// How many attempts are made to find a common free port.
    private static let portAttempts = 16

    public let descriptor: Int32
    public let address: SocketAddress

    /// Binds every target, or none: then sockets that were passed are closed.
    public static func bind(_ targets: [BindTarget]) throws(HTTPListenerError) -> [LoopbackSocket] {
        do throws(HTTPListenerError) { return try bindAll(targets) } catch {
            closePassed(targets)
            throw error
        }
    }

    /// Closes the passed sockets among the targets that could have been served. Any other descriptor may be something else's.
    static func closePassed(_ targets: [BindTarget]) {
        for target in targets { try? CheckedTarget(target).closePassed() }
    }

    private static func bindAll(_ targets: [BindTarget]) throws(HTTPListenerError) -> [LoopbackSocket] {
        guard !targets.isEmpty else { throw .noAddress }
        var checked: [CheckedTarget] = []
        for target in targets { checked.append(try CheckedTarget(target)) }
        for _ in 1..<portAttempts where checked.contains(where: \.wantsAnyPort) {
            // A free port of one address family may be in use in the other: another one may be free in both.
            do throws(HTTPListenerError) { return try bindOnce(checked) } catch {
                guard case .addressInUse = error else { throw error }
            }
        }
        return try bindOnce(checked)
    }

    private static func bindOnce(_ targets: [CheckedTarget]) throws(HTTPListenerError) -> [LoopbackSocket] {
        var sockets: [LoopbackSocket] = []
        var sharedPort: Int?
        do throws(HTTPListenerError) {
            for target in targets {
                let socket = try target.bind(sharedPort: sharedPort)
                if target.wantsAnyPort { sharedPort = socket.address.port }
                sockets.append(socket)
            }
            return sockets
        } catch {
            // A passed one is needed for another attempt.
            for (socket, target) in zip(sockets, targets) where !target.isPassed { socket.close() }
            throw error
        }
    }

    public func close() { Glibc.close(descriptor) }

    var isUnix: Bool { if case .unixDomainSocket = address { true } else { false } }

    /// How many connections may wait to be accepted; nil if the kernel does not report it. For a listening socket, TCP_INFO has it in the
    /// field for selectively acknowledged segments.
    var backlog: Int32? {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return nil }
        return Int32(exactly: info.tcpi_sacked)
    }
}
