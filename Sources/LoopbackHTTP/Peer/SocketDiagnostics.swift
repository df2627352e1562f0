import CSocketDiagnostics
import Glibc

/// Queries the kernel for one TCP socket by its two ends, over `NETLINK_SOCK_DIAG` (sock_diag(7)). One message each way, answered within
/// the system call, so there is nothing to wait for.
final class SocketDiagnostics {
    private let descriptor: Int32
    private var sequence: UInt32 = 0

    /// Nil if netlink sockets are not available, or if the kernel does not report TCP sockets.
    init?() {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), NETLINK_SOCK_DIAG)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        guard findsListener() else { return nil }
    }

    deinit { close(descriptor) }

    /// The user that owns the socket with the local end `peer` and the remote end `local`.
    func owner(of peer: NetworkEndpoint, connectedTo local: NetworkEndpoint) -> SocketOwner {
        // The look-up falls back to a listening socket, and an abandoned or waiting connection is reported as root's with inode 0: neither
        // proves who is at the other end.
        ask(source: peer, destination: local) { $0.isConnection(from: peer.port, to: local.port) ? $0.owner : .nobody }
    }

    /// The user that listens where a connection to this endpoint would arrive.
    func owner(listeningAt endpoint: NetworkEndpoint) -> SocketOwner {
        ask(source: endpoint, destination: endpoint.nowhere, \.owner)
    }

    /// "No such socket" and "no module for TCP sockets" are the same error (ENOENT), so one query checks that an existing socket is found.
    private func findsListener() -> Bool {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return false }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        let endpoint = NetworkEndpoint(address: [127, 0, 0, 1], port: UInt16(bigEndian: address.sin_port))
        guard isBound, case .user = owner(listeningAt: endpoint) else { return false }
        return true
    }

    // MARK: Messages

    /// - Parameter owner: what the kernel's answer says.
    private func ask(source: NetworkEndpoint, destination: NetworkEndpoint, _ owner: (inet_diag_msg) -> SocketOwner) -> SocketOwner {
        sequence &+= 1
        let request = Self.request(source: source, destination: destination, sequence: sequence)
        let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        guard sent == request.count else { return .unavailable }
        // A reply to an earlier query has an earlier number; there can be few of those.
        var reply = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<4 {
            guard let received = receive(into: &reply), received >= MemoryLayout<nlmsghdr>.size else { return .unavailable }
            if let answer = Self.answer(in: reply.prefix(received), sequence: sequence, owner) { return answer }
        }
        return .unavailable
    }

    /// Nil if nothing has arrived, or not from the kernel, whose port is 0.
    private func receive(into reply: inout [UInt8]) -> Int? {
        var sender = sockaddr_nl()
        var senderLength = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let received = withUnsafeMutablePointer(to: &sender) { sender in
            sender.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                reply.withUnsafeMutableBytes { recvfrom(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT), sender, &senderLength) }
            }
        }
        return received >= 0 && sender.nl_pid == 0 ? received : nil
    }

    private static func request(source: NetworkEndpoint, destination: NetworkEndpoint, sequence: UInt32) -> [UInt8] {
        var header = nlmsghdr()
        header.nlmsg_len = UInt32(MemoryLayout<nlmsghdr>.size + MemoryLayout<inet_diag_req_v2>.size)
        header.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
        header.nlmsg_flags = UInt16(NLM_F_REQUEST)
        header.nlmsg_seq = sequence

        var question = inet_diag_req_v2()
        question.sdiag_protocol = UInt8(IPPROTO_TCP)
        question.idiag_states = .max
        question.id.idiag_sport = source.port.bigEndian
        question.id.idiag_dport = destination.port.bigEndian
        question.id.idiag_cookie = (.max, .max)  // INET_DIAG_NOCOOKIE: any socket
        // A connection between IPv4 addresses is found by those, whatever the sockets' family.
        let ends: (source: [UInt8], destination: [UInt8])
        if let source4 = source.ipv4, let destination4 = destination.ipv4 {
            question.sdiag_family = UInt8(AF_INET)
            ends = (source4, destination4)
        } else {
            question.sdiag_family = UInt8(AF_INET6)
            ends = (source.address, destination.address)
        }
        withUnsafeMutableBytes(of: &question.id.idiag_src) { $0.copyBytes(from: ends.source) }
        withUnsafeMutableBytes(of: &question.id.idiag_dst) { $0.copyBytes(from: ends.destination) }
        return withUnsafeBytes(of: header) { Array($0) } + withUnsafeBytes(of: question) { Array($0) }
    }

    /// - Returns: nil for the answer to another query.
    private static func answer(
        in reply: ArraySlice<UInt8>, sequence: UInt32, _ owner: (inet_diag_msg) -> SocketOwner
    ) -> SocketOwner? {
        reply.withUnsafeBytes { bytes in
            let header = bytes.loadUnaligned(as: nlmsghdr.self)
            guard header.nlmsg_seq == sequence else { return nil }
            let body = MemoryLayout<nlmsghdr>.size
            switch Int32(header.nlmsg_type) {
            case SOCK_DIAG_BY_FAMILY where bytes.count >= body + MemoryLayout<inet_diag_msg>.size:
                return owner(bytes.loadUnaligned(fromByteOffset: body, as: inet_diag_msg.self))
            case NLMSG_ERROR where bytes.count >= body + MemoryLayout<Int32>.size:
                return bytes.loadUnaligned(fromByteOffset: body, as: Int32.self) == -ENOENT ? .nobody : .unavailable
            default: return .unavailable
            }
        }
    }
}

extension inet_diag_msg {
    fileprivate func isConnection(from source: UInt16, to destination: UInt16) -> Bool {
        id.idiag_sport == source.bigEndian && id.idiag_dport == destination.bigEndian
    }

    /// Inode 0: it has no owner now, and its user is reported as 0.
    fileprivate var owner: SocketOwner { idiag_inode == 0 ? .nobody : .user(idiag_uid) }
}
