import Glibc

/// The listener on a TCP port of this machine, which the kernel shows to everybody (proc(5)).
struct PortHolder: Equatable {
    var userID: UInt32
    /// A process of this user; those of other users cannot be inspected.
    var process: (id: Int32, name: String)?

    static func == (left: PortHolder, right: PortHolder) -> Bool {
        left.userID == right.userID && left.process?.id == right.process?.id && left.process?.name == right.process?.name
    }

    /// It belongs to another user, so only they or root can end it.
    func isForeign(ownUserID: UInt32) -> Bool { userID != ownUserID && ownUserID != 0 }

    /// In a sentence: `python3 (process 1234)`, `a program of user 1001 (grace)`.
    func text(ownUserID: UInt32) -> String {
        if let process { return "\(process.name) (process \(process.id))" }
        return userID == ownUserID ? "another program of yours" : "a program of \(UserName.text(userID))"
    }

    /// In the tables' notation: the bytes of each 32-bit word in the order of this machine.
    private static let anyIPv4 = "00000000"
    private static let anyIPv6 = String(repeating: "0", count: 32)
    private static let loopbackIPv6 = String(repeating: "0", count: 24) + (isLittleEndian ? "01000000" : "00000001")
    private static let isLittleEndian = UInt16(1).littleEndian == 1

    /// - Parameter host: `127.0.0.1`, or `::1`.
    /// - Returns: nil if nobody listens there, or if the tables cannot be read.
    static func find(host: String, port: UInt16) -> PortHolder? {
        let isIPv6 = host.unicodeScalars.contains(":")
        let loopback = isLittleEndian ? "0100007F" : "7F000001"
        let places =
            isIPv6
            ? [("/proc/net/tcp6", [loopbackIPv6, anyIPv6])] : [("/proc/net/tcp", [loopback, anyIPv4]), ("/proc/net/tcp6", [anyIPv6])]
        for (table, addresses) in places {
            guard let text = TextFile.read(table, limit: 4 << 20), let row = listening(at: addresses, port, in: text) else { continue }
            return PortHolder(userID: row.userID, process: process(with: row.inode))
        }
        return nil
    }

    /// The first row of the table that listens there. Its columns are fixed: proc(5), `/proc/net/tcp`.
    static func listening(at addresses: [String], _ port: UInt16, in table: String) -> (userID: UInt32, inode: UInt64)? {
        for line in table.parts(separator: "\n").dropFirst() {
            let columns = line.parts(separator: " ")
            // 0A is TCP_LISTEN.
            guard columns.count > 9, columns[3] == "0A", let colon = columns[1].unicodeScalars.lastIndex(of: ":"),
                addresses.contains(String(columns[1][..<colon])),
                UInt16(columns[1].after(colon), radix: 16) == port,
                let userID = UInt32(columns[7]), let inode = UInt64(columns[9])
            else { continue }
            return (userID, inode)
        }
        return nil
    }

    private static func process(with inode: UInt64) -> (id: Int32, name: String)? {
        let wanted = "socket:[\(inode)]"
        for id in TextFile.names(in: "/proc").compactMap({ Int32($0) }) {
            for descriptor in TextFile.names(in: "/proc/\(id)/fd") where TextFile.link("/proc/\(id)/fd/\(descriptor)") == wanted {
                let name = TextFile.read("/proc/\(id)/comm", limit: 64)?.parts(separator: "\n").first.map(String.init)
                return (id, (name ?? "a program").plain)
            }
        }
        return nil
    }
}
