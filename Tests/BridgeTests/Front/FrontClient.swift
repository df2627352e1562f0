import Glibc

/// A plain blocking socket. It waits for what it is promised, at most 20 s, so that a test fails instead of hanging.
final class FrontClient {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    struct Answer {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var text: String { String(decoding: body, as: UTF8.self) }
        /// It ended before it was whole.
        var isCut = false

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    private var descriptor: Int32
    private var buffered: [UInt8] = []

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try connect(
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            })
    }

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        try connect(
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            })
    }

    private func connect(_ status: Int32) throws {
        guard status == 0 else { throw Failure(description: "connect: errno \(errno)") }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends what the other side takes without waiting; how many bytes these were.
    func sendAvailable(_ bytes: [UInt8]) -> Int {
        max(0, bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) })
    }

    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == ECONNRESET { return false }
        guard count >= 0 else { throw Failure(description: "recv: errno \(errno); so far \(String(decoding: buffered, as: UTF8.self).prefix(300))") }
        buffered += chunk.prefix(count)
        return count > 0
    }

    /// What arrives until this many bytes are there.
    func bytes(_ count: Int) throws -> [UInt8] {
        while buffered.count < count { guard try fill() else { throw Failure(description: "ended after \(buffered.count) bytes") } }
        defer { buffered.removeFirst(count) }
        return Array(buffered.prefix(count))
    }

    private func line() throws -> String? {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                defer { buffered.removeFirst(end + 1) }
                return String(decoding: buffered[..<end].filter { $0 != 13 }, as: UTF8.self)
            }
            guard try fill() else { return nil }
        }
    }

    /// The head of the next answer; nil at the end of the connection.
    func head() throws -> Answer? {
        guard let first = try line() else { return nil }
        var answer = Answer(status: first.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        while let line = try line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        return answer
    }

    /// One chunk of an answer; empty for the last one, nil if the connection ends.
    func chunk() throws -> [UInt8]? {
        guard let size = try line().flatMap({ Int($0, radix: 16) }) else { return nil }
        do {
            let bytes = try bytes(size)
            _ = try self.bytes(2)
            return bytes
        } catch { return nil }
    }

    /// The next whole answer; nil at the end of the connection.
    func answer(isHead: Bool = false) throws -> Answer? {
        guard var answer = try head() else { return nil }
        if isHead || answer.status == 204 || answer.status == 304 || answer.status < 200 { return answer }
        if let length = answer.header("Content-Length").flatMap({ Int($0) }) {
            while buffered.count < length { guard try fill() else { break } }
            answer.isCut = buffered.count < length
            answer.body = Array(buffered.prefix(length))
            buffered.removeFirst(answer.body.count)
        } else if answer.header("Transfer-Encoding") == "chunked" {
            while true {
                guard let chunk = try chunk() else {
                    answer.isCut = true
                    break
                }
                if chunk.isEmpty { break }
                answer.body += chunk
            }
        } else {
            while try fill() {}
            answer.body = buffered
            buffered = []
        }
        return answer
    }

    func answers() throws -> [Answer] {
        var all: [Answer] = []
        while let answer = try answer() { all.append(answer) }
        return all
    }

    /// Whether the connection has ended, once nothing more is to come.
    func hasEnded() throws -> Bool { try buffered.isEmpty && !fill() }
}

/// Waits for something that another thread does and does not tell about. Gives up after 20 s, so only a failing test waits.
func frontEventually(_ condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<20_000 {
        if try condition() { return true }
        usleep(1000)
    }
    return false
}
