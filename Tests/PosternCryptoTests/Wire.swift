import PosternCrypto

/// Carries bytes between two sessions.
enum Wire {
    static func connect(_ client: TLSSession, _ server: TLSSession, pieces: Int = .max) throws {
        for _ in 0..<10 {
            let clientDone = try client.handshake()
            try carry(from: client, to: server, pieces: pieces)
            // What the client cannot stand is the client's error; the server only learns of it.
            let serverDone = (try? server.handshake()) ?? false
            try carry(from: server, to: client, pieces: pieces)
            if clientDone && serverDone { return }
        }
        throw Stuck()
    }

    struct Stuck: Error {}

    static func carry(from sender: TLSSession, to receiver: TLSSession, pieces: Int = .max) throws {
        let bytes = sender.takeCiphertext { Array($0) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBytes { try receiver.receive($0) }
            if receiver.state == .handshaking { _ = try receiver.handshake() }
        }
    }

    static func readAll(_ session: TLSSession) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try session.read(into: $0) }) {
            all += buffer.prefix(count)
        }
        return all
    }
}
