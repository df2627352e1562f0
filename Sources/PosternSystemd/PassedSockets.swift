import CSystemd
import Glibc

/// A listening socket that the service manager passed.
public struct PassedSocket: Sendable, Hashable {
    /// `FileDescriptorName=` of its unit.
    public var name: String
    public var descriptor: Int32
    /// A Unix stream socket; else a TCP one.
    public var isUnix: Bool
}

/// Why the passed sockets cannot be used.
public enum PassedSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    case system(reason: String)
    /// Neither a listening Unix stream socket nor a listening TCP socket.
    case unexpected(name: String)

    public var description: String {
        switch self {
        case .system(let reason): "the sockets that the service manager passed cannot be taken: \(reason)"
        case .unexpected(let name):
            "the service manager passed \(name), which is neither a listening Unix stream socket nor a listening TCP socket; check the socket units"
        }
    }
}

/// Takes the sockets of an activated service (sd_listen_fds(3)).
public enum PassedSockets {
    /// To be called once, before threads or children are started: it takes the variables out of the environment.
    ///
    /// - Returns: empty where the service was started otherwise.
    public static func take() throws(PassedSocketError) -> [PassedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else { throw .system(reason: String(cString: strerror(-count))) }
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
            if sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 {
                sockets.append(PassedSocket(name: name, descriptor: descriptor, isUnix: true))
            } else if sd_is_socket_inet(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0 {
                sockets.append(PassedSocket(name: name, descriptor: descriptor, isUnix: false))
            } else {
                throw .unexpected(name: name)
            }
        }
        return sockets
    }
}
