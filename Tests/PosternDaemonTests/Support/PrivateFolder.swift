import Foundation

/// A folder of a test's own, removed with all that is in it when the test releases it.
final class PrivateFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("postern-daemon-\(UUID().uuidString)").path
        makeFolder("")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func makeFolder(_ name: String) {
        try? FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        makeFolder((name as NSString).deletingLastPathComponent)
        _ = FileManager.default.createFile(atPath: path(name), contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(name)) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
