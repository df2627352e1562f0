import Glibc

/// A listening socket, and its file if we created it. Owned by whoever holds it until an acceptor takes it.
struct ListeningSocket {
    let descriptor: CInt
    let file: SocketFile?

    init(_ endpoint: VarlinkListener.Endpoint) throws(VarlinkListenerError) {
        switch endpoint {
        case .path(let path):
            let file = SocketFile(path: path)
            descriptor = try file.listen()
            self.file = file
        case .fileDescriptor(let passed):
            guard Self.isListeningUnixStream(passed) else {
                Glibc.close(passed)
                throw .unsuitableDescriptor(passed)
            }
            // Not inherited by our children: a browser must not hold the daemon's socket.
            _ = fcntl(passed, F_SETFD, FD_CLOEXEC)
            // A client that disconnects before it is accepted must not block the others.
            _ = fcntl(passed, F_SETFL, fcntl(passed, F_GETFL) | O_NONBLOCK)
            descriptor = passed
            file = nil
        }
    }

    /// Undoes the start, as far as it was our own.
    func close() {
        file?.remove()
        Glibc.close(descriptor)
    }

    private static func isListeningUnixStream(_ descriptor: CInt) -> Bool {
        option(SO_DOMAIN, of: descriptor) == AF_UNIX
            && option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue)
            && option(SO_ACCEPTCONN, of: descriptor) == 1
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
