import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/postern-systemd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder can be made in /tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func read(_ name: String) throws -> String {
        guard let file = fopen(path(name), "r") else { throw Failure(description: "\(name) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        guard let file = fopen(path(name), "w") else { throw Failure(description: "\(name) cannot be written") }
        fputs(text, file)
        fclose(file)
        chmod(path(name), mode)
    }
}
