import Glibc
import NIOCore

/// One call of `getaddrinfo`, on its own thread.
final class HostLookup: Sendable {
    private static let maximumAddresses = 16
    /// Enough for the name service's modules, which the system loads into this thread.
    private static let stackBytes = 512 * 1024

    private let host: String
    private let port: Int
    private let answer: @Sendable (Result<[SocketAddress], LookupError>) -> Void

    /// - Parameter answer: called on the new thread.
    init(host: String, port: Int, answer: @escaping @Sendable (Result<[SocketAddress], LookupError>) -> Void) {
        self.host = host
        self.port = port
        self.answer = answer
    }

    /// Starts the look-up. False if no thread can be created; then there is no answer.
    func start() -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackBytes)

        // The new thread inherits the mask: signals stay with the threads that wait for them.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let argument = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<HostLookup>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        if outcome != 0 { argument.release() }
        return outcome == 0
    }

    private func run() { answer(lookUp()) }

    private func lookUp() -> Result<[SocketAddress], LookupError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let outcome = getaddrinfo(host, String(port), &hints, &list)
        guard outcome == 0 else {
            return .failure(LookupError(description: "its name cannot be looked up (\(String(cString: gai_strerror(outcome))))"))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee, addresses.count < Self.maximumAddresses {
            next = entry.ai_next
            guard let address = entry.ai_addr.map({ UnsafeRawPointer($0) }) else { continue }
            switch entry.ai_family {
            case AF_INET: addresses.append(SocketAddress(address.loadUnaligned(as: sockaddr_in.self), host: host))
            case AF_INET6: addresses.append(SocketAddress(address.loadUnaligned(as: sockaddr_in6.self), host: host))
            default: continue
            }
        }
        return .success(addresses)
    }
}
