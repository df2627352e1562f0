import Glibc
import Testing
import Varlink

/// Takes every connection, and answers each with a byte now and then, for as long as somebody listens.
final class DrippingServer {
    let path: String
    private let directory = TemporaryDirectory()
    private let listening: CInt

    init() throws {
        path = "\(directory.path)/s"
        let listening = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        self.listening = listening
        let address = try #require(UnixSocketAddress(path: path))
        try #require(address.withSockaddr { bind(listening, $0, $1) } == 0 && listen(listening, 16) == 0)
        Thread.run {
            // Closed here alone: the next server of a test may get the same number, and this thread would accept its connections.
            defer { close(listening) }
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { return }
                Thread.run {
                    while send(connection, " ", 1, CInt(MSG_NOSIGNAL)) == 1 { usleep(2000) }
                    close(connection)
                }
            }
        }
    }

    /// Ends the thread that accepts; the others end with their clients.
    func stop() { shutdown(listening, CInt(SHUT_RDWR)) }
}
