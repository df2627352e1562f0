import Glibc

/// A directory that only this user can enter, removed with everything in it.
struct DemoDirectory {
    let path: String

    /// - Parameter environment: `XDG_RUNTIME_DIR` is used if set: it is private, and short enough for the path of a
    ///   socket (108 bytes), which a temporary directory may not be.
    init(environment: [String: String]) throws {
        let parents = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"].compactMap { $0 }
        let parent = parents.first { $0.begins(with: "/") && $0.utf8.count <= 64 && access($0, W_OK | X_OK) == 0 } ?? "/tmp"
        path = try PrivateDirectory.make("postern-demo", in: parent)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try ReplacedFile(file(name)).write(Array(text.utf8))
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

    /// - Returns: false if something is left.
    func remove() -> Bool { PrivateDirectory.remove(path) }
}
