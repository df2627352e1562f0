import Glibc

enum StandardInput {
    /// More than a message to the daemon may have is refused here already.
    static let limit = 64 * 1024

    static func readAll() throws -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return all }
            all += bytes[..<count]
            guard all.count <= limit else {
                throw CommandFailure("standard input holds more than \(limit) bytes, and no call may", status: .wrongUsage)
            }
        }
    }
}
