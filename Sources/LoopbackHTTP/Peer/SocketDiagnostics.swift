import CSocketDiagnostics
import Glibc

/// Asks the kernel for one TCP socket by its two ends, over `NETLINK_SOCK_DIAG` (sock_diag(7)). One message each way, answered
/// within the system call: nothing to wait for.
final class SocketDiagnostics {
    private let descriptor: Int32
    private var sequence: UInt32 = 0

    /// Nil where netlink sockets are not to be had.
    init?() {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), NETLINK_SOCK_DIAG)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The user that holds the socket whose own end is `peer` and whose other end is `local`; nil where there is none, where
    /// nobody holds it any more, or where the kernel does not tell.
    func owner(of peer: NetworkEndpoint, connectedTo local: NetworkEndpoint) -> UInt32? {
        sequence &+= 1
        let request = Self.request(of: peer, connectedTo: local, sequence: sequence)
        let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        guard sent == request.count else { return nil }

        // A reply that an earlier question left behind has an earlier number; there can be few of those.
        var reply = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<4 {
            guard let received = receive(into: &reply), received >= MemoryLayout<nlmsghdr>.size else { return nil }
            let answer = Self.answer(in: reply.prefix(received), sequence: sequence)
            if case .unrelated = answer { continue }
            guard case .socket(let found) = answer else { return nil }
            return found.isHeld(by: peer, connectedTo: local) ? found.idiag_uid : nil
        }
        return nil
    }

    /// Nil where nothing has come, or not from the kernel, whose port is 0.
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

    private static func request(of peer: NetworkEndpoint, connectedTo local: NetworkEndpoint, sequence: UInt32) -> [UInt8] {
        var header = nlmsghdr()
        header.nlmsg_len = UInt32(MemoryLayout<nlmsghdr>.size + MemoryLayout<inet_diag_req_v2>.size)
        header.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
        header.nlmsg_flags = UInt16(NLM_F_REQUEST)
        header.nlmsg_seq = sequence

        var question = inet_diag_req_v2()
        question.sdiag_protocol = UInt8(IPPROTO_TCP)
        question.idiag_states = .max
        question.id.idiag_sport = peer.port.bigEndian
        question.id.idiag_dport = local.port.bigEndian
        question.id.idiag_cookie = (.max, .max)  // INET_DIAG_NOCOOKIE: whichever socket it is
        // A connection between IPv4 addresses is found as such whatever the sockets' family.
        if let source = peer.ipv4, let destination = local.ipv4 {
            question.sdiag_family = UInt8(AF_INET)
            withUnsafeMutableBytes(of: &question.id.idiag_src) { $0.copyBytes(from: source) }
            withUnsafeMutableBytes(of: &question.id.idiag_dst) { $0.copyBytes(from: destination) }
        } else {
            question.sdiag_family = UInt8(AF_INET6)
            withUnsafeMutableBytes(of: &question.id.idiag_src) { $0.copyBytes(from: peer.address) }
            withUnsafeMutableBytes(of: &question.id.idiag_dst) { $0.copyBytes(from: local.address) }
        }
        return withUnsafeBytes(of: header) { Array($0) } + withUnsafeBytes(of: question) { Array($0) }
    }

    private enum Answer {
        case socket(inet_diag_msg)
        case refused
        case unrelated
    }

    private static func answer(in reply: ArraySlice<UInt8>, sequence: UInt32) -> Answer {
        reply.withUnsafeBytes { bytes in
            let header = bytes.loadUnaligned(as: nlmsghdr.self)
            guard header.nlmsg_seq == sequence else { return .unrelated }
            let body = MemoryLayout<nlmsghdr>.size
            guard header.nlmsg_type == UInt16(SOCK_DIAG_BY_FAMILY), bytes.count >= body + MemoryLayout<inet_diag_msg>.size else {
                return .refused
            }
            return .socket(bytes.loadUnaligned(fromByteOffset: body, as: inet_diag_msg.self))
        }
    }
}

extension inet_diag_msg {
    /// The look-up falls back on a listening socket, and an abandoned or waiting connection is reported as root's with inode 0:
    /// neither proves who the other end is.
    fileprivate func isHeld(by peer: NetworkEndpoint, connectedTo local: NetworkEndpoint) -> Bool {
        idiag_inode != 0 && id.idiag_sport == peer.port.bigEndian && id.idiag_dport == local.port.bigEndian
    }
}
