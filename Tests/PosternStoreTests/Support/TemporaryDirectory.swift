import Glibc

@testable import PosternStore

/// A directory of a test's own, removed with all that is in it when the test releases it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/postern-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// What the directory holds, by name.
    var names: [String] { Self.names(in: path).sorted() }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
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

    private static func remove(_ path: String) {
        for name in names(in: path) {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { remove(inner) }
        }
        rmdir(path)
    }
}

struct SystemFailure: Error {
    var call: String
    var code: Int32
}

/// Files as plain bytes, past the store.
enum Bytes {
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer.prefix(count))
        }
    }

    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", code: errno) }
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemFailure(call: "write \(path)", code: errno) }
    }

    /// Every file in a directory.
    static func readAll(in directory: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in TemporaryDirectory.names(in: directory) { files[name] = try read("\(directory)/\(name)") }
        return files
    }
}

/// Nothing that was there was touched; what came are empty files, as SQLite leaves a log without entries.
func isUntouched(_ before: [String: [UInt8]], _ after: [String: [UInt8]]) -> Bool {
    after.allSatisfy { name, bytes in name == DirectoryLock.fileName || bytes == before[name] ?? [] }
        && before.keys.allSatisfy { after[$0] != nil }
}

func permissions(_ path: String) -> mode_t {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return status.st_mode & 0o7777
}
