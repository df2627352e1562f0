import Glibc

/// What a descriptor gives.
enum DescriptorReader {
    /// What is there; empty at the end, and nil if it cannot be read, for the reason in `errno`.
    static func some(from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count >= 0 { return Array(bytes[..<count]) }
            guard errno == EINTR else { return nil }
        }
    }

    /// All until the end, or until it is enough. Reads on no further once there is more than the limit.
    static func all(from descriptor: Int32, limit: Int, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8]? {
        var all: [UInt8] = []
        while all.count <= limit, !isEnough(all) {
            guard let bytes = some(from: descriptor) else {
                // Another program may have left a shared terminal or pipe non-blocking.
                guard errno == EAGAIN else { return nil }
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&polled, 1, -1)
                continue
            }
            if bytes.isEmpty { break }
            all += bytes
        }
        return all
    }
}

/// Small files, directories and links.
enum TextFile {
    static func read(_ path: String, limit: Int, flags: Int32 = 0) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return DescriptorReader.all(from: file, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter limit: in bytes; a longer target is cut.
    static func link(_ path: String, limit: Int = 256) -> String? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in chars.baseAddress.map { readlink(path, $0, chars.count) } ?? -1 }
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A relative path begins at the working directory.
    static func absolute(_ path: String) -> String {
        guard !path.begins(with: "/") else { return path }
        guard let directory = getcwd(nil, 0) else { return "./\(path)" }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }
}

/// A directory that only this user can enter.
enum PrivateDirectory {
    /// - Parameter name: how its name begins.
    static func make(_ name: String, in parent: String) throws(CommandFailure) -> String {
        var template = Array("\(parent)/\(name).XXXXXX".utf8CString)
        // mkdtemp(3) creates it with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandFailure("no directory could be made in \(parent): \(String(cString: strerror(errno)))".plain)
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the directory and its content; links are removed and not followed.
    ///
    /// - Returns: false if something is left.
    static func remove(_ path: String) -> Bool {
        guard FileStatus(path: path)?.kind == .directory else { return unlink(path) == 0 }
        // One after another, continuing after one that cannot be removed.
        let isEmptied = TextFile.names(in: path).map { remove("\(path)/\($0)") }.allSatisfy { $0 }
        return rmdir(path) == 0 && isEmptied
    }
}
