import Testing

@testable import PosternDaemon

@Suite("A directory for a key")
struct KeyDirectoryTests {
    typealias Facts = KeyDirectory.Facts

    /// Each directory with its owner and mode; user 7 asks.
    private func problem(of path: String, _ directories: [String: (owner: UInt32, mode: UInt32)]) -> String? {
        KeyDirectory.problem(of: path, user: 7) { path in
            directories[path].map { Facts(owner: $0.owner, mode: $0.mode, realPath: path) }
        }
    }

    @Test("is one that nobody else can write to, below such ones")
    func own() {
        #expect(problem(of: "/home/ada/keys", ["/": (0, 0o755), "/home": (0, 0o755), "/home/ada": (7, 0o750), "/home/ada/keys": (7, 0o700)]) == nil)
        #expect(problem(of: "/home/ada/keys/new", ["/": (0, 0o755), "/home": (0, 0o755), "/home/ada": (7, 0o750)]) == nil)
    }

    @Test("is none below a directory that others can write to")
    func above() throws {
        let words = try #require(problem(of: "/ow/sub", ["/": (0, 0o755), "/ow": (7, 0o777), "/ow/sub": (7, 0o755)]))
        #expect(words.contains("/ow is above it") && words.hasSuffix("chmod go-w /ow"))
        #expect(problem(of: "/ow/sub", ["/": (0, 0o755), "/ow": (7, 0o777)]) != nil)
        #expect(problem(of: "/ow/sub", ["/": (0, 0o755), "/ow": (8, 0o755), "/ow/sub": (7, 0o755)]) != nil)
    }

    @Test("may be in root's sticky directory, and is not that one")
    func sticky() throws {
        let directories: [String: (UInt32, UInt32)] = ["/": (0, 0o755), "/tmp": (0, 0o1777), "/tmp/mine": (7, 0o700)]
        #expect(problem(of: "/tmp/mine", directories) == nil)
        let words = try #require(problem(of: "/tmp", directories))
        #expect(!words.contains("chmod"))
        #expect(problem(of: "/x/mine", ["/": (0, 0o755), "/x": (8, 0o1777), "/x/mine": (7, 0o700)]) != nil)
    }

    @Test("is looked at where a symbolic link leads")
    func link() {
        let words = KeyDirectory.problem(of: "/home/link", user: 7) { path in
            switch path {
            case "/", "/home": Facts(owner: 0, mode: 0o755, realPath: path)
            case "/home/link": Facts(owner: 7, mode: 0o700, realPath: "/ow/sub")
            case "/ow": Facts(owner: 8, mode: 0o777, realPath: path)
            default: nil
            }
        }
        #expect(words?.contains("/ow is above it") == true)
    }
}
