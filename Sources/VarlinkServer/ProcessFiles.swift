import Glibc

/// What `/proc` says about a process (proc(5)).
enum ProcessFiles {
    static func executable(of pid: pid_t) -> String? {
        // The pid is 0 if the peer is in another pid namespace.
        guard pid > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/\(pid)/exe", start, buffer.count)
            guard count > 0 else { return nil }
            let path = UnsafeRawBufferPointer(buffer)[..<count]
            // The program was replaced while it ran, for example by an upgrade.
            let mark = " (deleted)".utf8
            return String(decoding: path.suffix(mark.count).elementsEqual(mark) ? path.dropLast(mark.count) : path, as: UTF8.self)
        }
    }

    static func controlGroups(of pid: pid_t) -> String? {
        guard pid > 0 else { return nil }
        let descriptor = open("/proc/\(pid)/cgroup", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One line on a system with the unified hierarchy, a dozen on an old one.
        return withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}

enum ControlGroup {
    /// The innermost service or scope in the contents of `/proc/PID/cgroup`: in the unified hierarchy (`0::`), or
    /// in systemd's own on an older system.
    static func unit(in text: String) -> String? {
        let colon = UInt8(ascii: ":")
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        let line =
            lines.first { $0.starts(with: "0::/".utf8) && $0.count > 4 }
            ?? lines.first { $0.drop { $0 != colon }.starts(with: ":name=systemd:/".utf8) }
        guard let path = line?.split(separator: colon, maxSplits: 2, omittingEmptySubsequences: false).last else { return nil }
        let unit = path.split(separator: UInt8(ascii: "/")).last { name in
            [".service", ".scope"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
        }
        return unit.map { String(Substring($0)) }
    }
}
