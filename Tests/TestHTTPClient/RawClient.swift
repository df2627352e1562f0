import Glibc
import NIOCore

/// A plain blocking socket. It waits for what it is promised, at most 20 s, so that a test fails instead of hanging.
final class RawClient {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The answers to come are to `HEAD`: they tell a length and have no body.
    var asksForHeads = false

    private let descriptor: Int32
    private var buffered: [UInt8] = []

    init(_ address: SocketAddress) throws {
        let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: errno \(errno)") }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        let status = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard status == 0 else { throw Failure(description: "connect: errno \(errno)") }
    }

    deinit { close(descriptor) }

    func localAddress() throws -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return try withUnsafeMutablePointer(to: &storage) { storage in
            let status = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            guard status == 0 else { throw Failure(description: "getsockname: errno \(errno)") }
            return Int32(storage.pointee.ss_family) == AF_INET6
                ? storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
                : storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        guard trySend(bytes) else { throw Failure(description: "send: errno \(errno)") }
    }

    /// False once the other side does not take any more.
    func trySend(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next answer; nil at the end of the connection.
    func response() throws -> RawResponse? {
        while true {
            if let (response, length) = RawResponse.parse(buffered, isHead: asksForHeads) {
                buffered.removeFirst(length)
                return response
            }
            guard try fill() else {
                guard buffered.isEmpty else { throw Failure(description: "cut short: \(String(decoding: buffered, as: UTF8.self))") }
                return nil
            }
        }
    }

    /// Every answer up to the end of the connection.
    func responses() throws -> [RawResponse] {
        var all: [RawResponse] = []
        while let response = try response() { all.append(response) }
        return all
    }

    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw Failure(description: "recv: errno \(errno)") }
        buffered += chunk.prefix(count)
        return count > 0
    }
}

struct RawResponse: CustomStringConvertible {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: String

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    var description: String { "\(status) \(headers) \(body.prefix(200))" }

    /// Nil while it is not all there.
    static func parse(_ bytes: [UInt8], isHead: Bool) -> (RawResponse, Int)? {
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        var response = RawResponse(status: status, headers: headers, body: "")
        let length = isHead ? 0 : response.header("Content-Length").flatMap { Int($0) } ?? 0
        guard bytes.count >= headEnd + 4 + length else { return nil }
        response.body = String(decoding: bytes[(headEnd + 4)..<(headEnd + 4 + length)], as: UTF8.self)
        return (response, headEnd + 4 + length)
    }
}
