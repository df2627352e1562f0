import Glibc

/// A directory that only this user can enter, removed with everything in it.
struct DemoDirectory {
    let path: String

    /// - Parameter environment: `XDG_RUNTIME_DIR` is used if set: it is private, and short enough for the path of a
    ///   socket (108 bytes), which a temporary directory may not be.
    init(environment: [String: String]) throws {
        let parents = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"].compactMap { $0 }
        let parent = parents.first { $0.begins(with: "/") && $0.utf8.count <= 64 && access($0, W_OK | X_OK) == 0 } ?? "/tmp"
        var template = Array("\(parent)/postern-demo.XXXXXX".utf8CString)
        // mkdtemp(3) creates it with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandFailure("no directory could be made in \(parent): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure("\(file(name)) could not be written: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor) else {
            throw CommandFailure("\(file(name)) could not be written: \(String(cString: strerror(errno)))")
        }
    }

    /// The last lines of a file, for the user to read; empty if there is none.
    func tail(of name: String, lines count: Int) -> [String] {
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let size = lseek(descriptor, 0, SEEK_END)
        lseek(descriptor, max(0, size - bytes.count), SEEK_SET)
        let length = read(descriptor, &bytes, bytes.count)
        guard length > 0 else { return [] }
        return String(decoding: bytes[..<length], as: UTF8.self).parts(separator: "\n").suffix(count).map { String($0).plain }
    }

    /// Removes the directory and its content; links are removed and not followed.
    ///
    /// - Returns: false if something is left.
    func remove() -> Bool { Self.remove(path) }

    private static func remove(_ path: String) -> Bool {
        guard FileStatus(path: path)?.kind == .directory, let stream = opendir(path) else { return unlink(path) == 0 }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        closedir(stream)
        // One after another, continuing after one that cannot be removed.
        let isEmptied = names.map { remove("\(path)/\($0)") }.allSatisfy { $0 }
        return rmdir(path) == 0 && isEmptied
    }
}
