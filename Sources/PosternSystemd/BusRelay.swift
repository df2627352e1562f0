import CSystemd
import Glibc

/// A relay between sd-bus and Flatpak's filter on the session bus (xdg-dbus-proxy before 0.1.6), which does not understand it: sd-bus sends
/// the end of its authentication before the bus has answered the beginning (flatpak/xdg-dbus-proxy issue 21), and is disconnected.
///
/// The relay authenticates itself, one line after another, and then passes bytes in both directions, on a thread that ends when either side
/// disconnects.
enum BusRelay {
    /// In seconds: how long the bus may take to answer a line.
    private static let patience = 3
    /// In bytes: the limit for a line of the authentication.
    private static let longestLine = 1024

    /// - Returns: a socket for sd-bus.
    static func connect() throws(BusError) -> Int32 {
        let bus = try connectToBus()
        var ends: [Int32] = [-1, -1]
        do throws(BusError) {
            try authenticate(bus)
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { throw error(errno) }
        } catch {
            close(bus)
            throw error
        }
        let ours = ends[0]
        do throws(BusError) {
            try startThread { relay(between: ours, and: bus) }
        } catch {
            for end in [bus, ours, ends[1]] { close(end) }
            throw error
        }
        return ends[1]
    }

    // MARK: The bus

    /// Only if it is where Flatpak puts it: a socket with a path.
    private static var path: String? {
        guard let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }) else {
            return getenv("XDG_RUNTIME_DIR").map { "\(String(cString: $0))/bus" }
        }
        let prefix = "unix:path="
        let bytes = address.utf8
        guard bytes.starts(with: prefix.utf8), !bytes.contains(UInt8(ascii: "%")), !bytes.contains(UInt8(ascii: ";")) else { return nil }
        return bytes.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: ",")).first.map { String(Substring($0)) }
    }

    private static func connectToBus() throws(BusError) -> Int32 {
        guard let path, path.utf8.first == UInt8(ascii: "/") else {
            throw BusError(name: nil, reason: "the session bus has no address that is a path")
        }
        guard let address = UnixAddress.encoded(path) else { throw error(ENAMETOOLONG) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw error(errno) }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            _ = setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        let result = address.withUnsafeBytes { address in
            Glibc.connect(descriptor, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw error(code)
        }
        return descriptor
    }

    /// With our own uid, which the bus sees by itself (D-Bus specification, "EXTERNAL"). Descriptors are not passed.
    private static func authenticate(_ bus: Int32) throws(BusError) {
        let user = "\(geteuid())".utf8.map { String($0, radix: 16) }.joined()
        guard send("\0AUTH EXTERNAL \(user)\r\n", to: bus), let answer = line(from: bus) else { throw error(errno) }
        guard answer.utf8.starts(with: "OK ".utf8) else { throw BusError(name: nil, reason: "the session bus refuses the connection") }
        guard send("BEGIN\r\n", to: bus) else { throw error(errno) }
    }

    // MARK: sd-bus

    private static func relay(between client: Int32, and bus: Int32) {
        defer { for end in [client, bus] { close(end) } }
        guard answerAuthentication(of: client) else { return }
        var toBus: ArraySlice<UInt8> = []
        var toClient: ArraySlice<UInt8> = []
        while true {
            // No more is read until the rest has been passed on.
            func events(reads: Bool, writes: Bool) -> Int16 { Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)) }
            var entries = [
                pollfd(fd: client, events: events(reads: toBus.isEmpty, writes: !toClient.isEmpty), revents: 0),
                pollfd(fd: bus, events: events(reads: toClient.isEmpty, writes: !toBus.isEmpty), revents: 0),
            ]
            guard poll(&entries, 2, -1) >= 0 || errno == EINTR else { return }
            guard move(from: client, entries[0], to: bus, entries[1], &toBus),
                move(from: bus, entries[1], to: client, entries[0], &toClient)
            else { return }
        }
    }

    /// - Returns: false at the end.
    private static func move(
        from source: Int32, _ sourceEntry: pollfd, to destination: Int32, _ destinationEntry: pollfd, _ waiting: inout ArraySlice<UInt8>
    ) -> Bool {
        if waiting.isEmpty, sourceEntry.revents != 0 {
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = recv(source, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 { waiting = chunk[..<count] } else if count == 0 || (errno != EAGAIN && errno != EINTR) { return false }
        }
        guard !waiting.isEmpty else { return true }
        let count = waiting.withUnsafeBytes {
            Glibc.send(destination, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        if count > 0 { waiting = waiting.dropFirst(count) }
        return count > 0 || errno == EAGAIN || errno == EINTR
    }

    /// Answers as a bus would: the client is ourselves, and trusted.
    private static func answerAuthentication(of client: Int32) -> Bool {
        var isFirst = true
        while let text = line(from: client) {
            // The first byte of a connection is a NUL.
            let words = text.unicodeScalars.drop { isFirst && $0 == "\0" }.split(separator: " ").map(Substring.init)
            isFirst = false
            let answer: String
            switch (words.first, words.count) {
            case ("AUTH", 2): answer = "DATA\r\n"
            case ("AUTH", _), ("DATA", _): answer = "OK \(String(repeating: "0", count: 31))1\r\n"
            case ("BEGIN", _): return true
            default: answer = "ERROR\r\n"
            }
            guard send(answer, to: client) else { return false }
        }
        return false
    }

    // MARK: Lines

    private static func send(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    /// One byte after another: what follows the line is not ours.
    private static func line(from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < longestLine {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else {
                if count == 0 { errno = ENOTCONN }
                return nil
            }
            bytes.append(byte)
            if bytes.suffix(2) == [0x0D, 0x0A] { return String(decoding: bytes.dropLast(2), as: UTF8.self) }
        }
        errno = EPROTO
        return nil
    }

    private static func error(_ code: Int32) -> BusError {
        BusError(name: nil, reason: "the session bus cannot be reached: \(String(cString: strerror(code)))")
    }

    // MARK: The thread

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) throws(BusError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw error(result)
        }
        pthread_detach(thread)
    }
}
