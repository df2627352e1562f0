import Glibc
import Testing

@Suite("The desktop's keyring")
struct SecretServiceTests {
    static let isInstalled = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs lines of a shell on a bus of their own with a keyring, where `$CHILD` is the program that asks.
    ///
    /// The keyring does not end with its bus: the shell ends it. It is waited for, since the bus would start a second one.
    private func session(unlocked: Bool, _ lines: String) throws -> [Substring] {
        let keyring = """
            XDG_RUNTIME_DIR=$(mktemp -d "$HOME/runtime-XXXXXX") && export XDG_RUNTIME_DIR
            printf password >"$HOME/password"
            gnome-keyring-daemon --foreground --components=secrets \(unlocked ? "--unlock" : "--start") <"$HOME/password" >/dev/null 2>&1 &
            trap "kill $!; wait $!" EXIT
            for attempt in $(seq 500); do
                dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
                    string:org.freedesktop.secrets | grep -q true && break
                sleep 0.02
            done

            """
        let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "CHILD": Child.path]
        let words = ["dbus-run-session", "--", "/bin/sh", "-c", keyring + lines]
        return try Child.run([], in: folder, environment: environment, wrapper: words).output.split(separator: "\n")
    }

    @Test("keeps a secret, gives it back, and replaces it", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func keeps() throws {
        let said = try session(unlocked: true, "$CHILD find; $CHILD save AB; $CHILD find; $CHILD save C; $CHILD find")
        #expect(said == ["none", "saved", "[65, 66]", "saved", "[67]"])
    }

    @Test("keeps items apart by an attribute, and finds all by those they share", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func apart() throws {
        let said = try session(
            unlocked: true, "$CHILD save A one; $CHILD save B two; $CHILD find one; $CHILD find two; $CHILD find; $CHILD find three")
        #expect(said == ["saved", "saved", "[65]", "[66]", "[65] [66]", "none"])
    }

    @Test("removes the items that have the attributes, and no others", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func removes() throws {
        let said = try session(
            unlocked: true, "$CHILD save A one; $CHILD save B two; $CHILD remove one; $CHILD find one; $CHILD find two; $CHILD remove one")
        #expect(said == ["saved", "saved", "removed 1", "none", "[66]", "removed 0"])
    }

    @Test("says that it is locked, and nobody is asked for a password", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func locked() throws {
        #expect(try session(unlocked: true, "$CHILD save AB") == ["saved"])
        #expect(try session(unlocked: false, "$CHILD find; $CHILD save C; $CHILD remove") == ["locked", "locked", "locked"])
    }

    @Test("has no place for a secret where nobody has made one", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func empty() throws {
        #expect(try session(unlocked: false, "$CHILD find; $CHILD save AB") == ["none", "no collection"])
    }

    @Test("is not available where there is no bus", arguments: ["find", "save", "remove"])
    func noBus(word: String) throws {
        let environment = ["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        #expect(try Child.run([word, "AB"], in: folder, environment: environment).output == "not available\n")
    }
}
