import Glibc
import Varlink
import VarlinkServer

/// Its own directory that goes when the test does.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/varlink-tests-XXXXXX".utf8CString)
        mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    var names: [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A listener on its own loop, closed with its last reference.
final class TestServer {
    static let info = VarlinkServiceInfo(vendor: "Example", product: "Test", version: "1", url: "https://example.org")

    let service = TestService()
    let path: String
    let listener: VarlinkListener
    private let directory = TemporaryDirectory()
    private let loop: TestLoop

    init(limits: VarlinkLimits = VarlinkLimits(), clock: TestClock? = nil) throws {
        path = "\(directory.path)/s"
        loop = try TestLoop(clock: clock)
        listener = try loop.start(.path(path), service, limits: limits)
    }

    deinit { try? loop.close(listener) }

    func connect() throws -> RawClient { try RawClient(path: path, server: self) }

    /// Keeps the loop from doing anything until the closure has returned.
    func withBusyLoop<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (isBusy, isOver) = (Watched(false), Watched(false))
        loop.loop.execute {
            isBusy.change { $0 = true }
            isOver.wait { $0 }
        }
        defer { isOver.change { $0 = true } }
        isBusy.wait { $0 }
        return try body()
    }

    var openConnections: Int { (try? loop.sync { [listener] in listener.openConnections }) ?? -1 }
}
