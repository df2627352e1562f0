import CProcess
import CSystemd
import Glibc

/// A listening socket that the service manager passed.
public struct PassedSocket: Sendable, Hashable {
    /// Its purpose; the raw value is `FileDescriptorName=` of its unit.
    public enum Role: String, Sendable, CaseIterable {
        /// A Unix stream socket, for programs.
        case varlink
        /// A TCP socket, for browsers.
        case callback
        /// The same port at `::1`, which browsers may use for `localhost`.
        case callbackIPv6 = "callback-ipv6"
    }

    public var role: Role
    public var descriptor: Int32

    /// The path of a Unix socket in the file system; nil for one without, and for TCP.
    public var path: String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// Why the passed sockets cannot be used.
public struct PassedSocketError: Error, CustomStringConvertible {
    public let description: String

    fileprivate static func passed(_ what: String) -> Self {
        Self(description: "the service manager passed \(what); check the socket units")
    }
}

/// Takes the sockets of an activated service (sd_listen_fds(3)).
public enum PassedSockets {
    /// To be called once, before other programs are started: it removes the variables from the environment, and prevents children from
    /// inheriting the sockets and any other descriptors that a careless parent left open.
    ///
    /// - Returns: empty if the service was started in another way. There is at most one with the role ``PassedSocket/Role/varlink``.
    public static func take() throws(PassedSocketError) -> [PassedSocket] {
        // A kernel before 5.11 does not support it; then each program is started without them anyway.
        _ = postern_close_on_exec_from(3)
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else {
            throw PassedSocketError(
                description: "the sockets that the service manager passed cannot be taken: \(String(cString: strerror(-count)))")
        }
        defer {
            if let names {
                for index in 0..<Int(count) { free(names[index]) }
                free(names)
            }
        }
        var sockets: [PassedSocket] = []
        for index in 0..<count {
            // SD_LISTEN_FDS_START, which Swift does not import as a number.
            let descriptor = 3 + index
            let name = names?[Int(index)].map { String(cString: $0) } ?? "unknown"
            let role = try role(of: descriptor, name: name)
            guard role != .varlink || !sockets.contains(where: { $0.role == .varlink }) else {
                throw .passed("more than one socket by the name \(role.rawValue)")
            }
            sockets.append(PassedSocket(role: role, descriptor: descriptor))
        }
        return sockets
    }

    /// By its name; a unit without `FileDescriptorName=` has other names, so that the kind decides.
    private static func role(of descriptor: Int32, name: String) throws(PassedSocketError) -> PassedSocket.Role {
        let kind: PassedSocket.Role
        if sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 {
            kind = .varlink
        } else if sd_is_socket_inet(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0 {
            kind = .callback
        } else {
            throw .passed("\(name), which is neither a listening Unix stream socket nor a listening TCP socket")
        }
        guard let named = PassedSocket.Role(rawValue: name) else { return kind }
        guard (named == .varlink) == (kind == .varlink) else {
            let (found, wanted) = named == .varlink ? ("TCP", "Unix") : ("Unix", "TCP")
            throw .passed("a \(found) socket by the name \(named.rawValue), which is for a \(wanted) socket")
        }
        return named
    }
}
