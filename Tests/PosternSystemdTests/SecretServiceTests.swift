import Glibc
import Testing

@Suite("The desktop's keyring")
struct SecretServiceTests {
    static let isInstalled = ["dbus-run-session", "gnome-keyring-daemon"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs lines of a shell on a bus of their own, where `$CHILD` is the program that asks.
    private func session(_ lines: String) throws -> [Substring] {
        let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "CHILD": Child.path]
        // The keyring ends a moment after its bus; the next one must not find its socket.
        let own = #"XDG_RUNTIME_DIR=$(mktemp -d "$HOME/runtime-XXXXXX") && export XDG_RUNTIME_DIR; "#
        let words = ["dbus-run-session", "--", "/bin/sh", "-c", own + lines]
        return try Child.run([], in: folder, environment: environment, wrapper: words).output.split(separator: "\n")
    }

    private static let unlock = "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1"
    private static let start = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1"

    @Test("keeps a secret, gives it back, and replaces it", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func keeps() throws {
        let said = try session("\(Self.unlock); $CHILD find; $CHILD save AB; $CHILD find; $CHILD save C; $CHILD find")
        #expect(said == ["none", "saved", "[65, 66]", "saved", "[67]"])
    }

    @Test("says that it is locked, and nobody is asked for a password", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func locked() throws {
        #expect(try session("\(Self.unlock); $CHILD save AB") == ["saved"])
        #expect(try session("\(Self.start); $CHILD find; $CHILD save C") == ["locked", "locked"])
    }

    @Test("has no place for a secret where nobody has made one", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func empty() throws {
        #expect(try session("\(Self.start); $CHILD find; $CHILD save AB") == ["none", "no collection"])
    }

    @Test("is not available where there is no bus", arguments: ["find", "save"])
    func noBus(word: String) throws {
        let environment = ["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        #expect(try Child.run([word, "AB"], in: folder, environment: environment).output == "not available\n")
    }
}
