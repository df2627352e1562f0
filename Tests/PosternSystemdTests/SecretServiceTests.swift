import Glibc
import Testing

@Suite("The desktop's keyring")
struct SecretServiceTests {
    static let isInstalled = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How the keyring is before it is asked.
    private enum State {
        /// With a collection that is made and unlocked at its start.
        case unlocked
        /// With the collection of a keyring before, which nobody has unlocked.
        case locked
        /// Without a collection.
        case empty

        /// A call that shows the state, and the words of its answer. The name is on the bus before the collections are.
        var question: (call: String, answer: String) {
            let isLocked =
                "/org/freedesktop/secrets/aliases/default org.freedesktop.DBus.Properties.Get "
                + "string:org.freedesktop.Secret.Collection string:Locked"
            return switch self {
            case .unlocked: (isLocked, "boolean false")
            case .locked: (isLocked, "boolean true")
            case .empty: ("/org/freedesktop/secrets org.freedesktop.Secret.Service.ReadAlias string:default", #"object path "/""#)
            }
        }
    }

    /// Runs lines of a shell on a bus of their own with a keyring in this state, where `$CHILD` is the program that asks.
    ///
    /// The keyring does not end with its bus: the shell ends it. Nothing is called before its name is there, since the bus would start a
    /// second one.
    private func session(_ state: State, _ lines: String) throws -> [Substring] {
        let (call, answer) = state.question
        let keyring = """
            XDG_RUNTIME_DIR=$(mktemp -d "$HOME/runtime-XXXXXX") && export XDG_RUNTIME_DIR
            printf password >"$HOME/password"
            gnome-keyring-daemon --foreground --components=secrets \(state == .unlocked ? "--unlock" : "--start") <"$HOME/password" >/dev/null 2>&1 &
            trap "kill $!; wait $!" EXIT
            ready=no
            for attempt in $(seq 1000); do
                dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
                    string:org.freedesktop.secrets | grep -q true \
                    && dbus-send --session --print-reply --dest=org.freedesktop.secrets \(call) 2>/dev/null | grep -q '\(answer)' \
                    && ready=yes && break
                sleep 0.02
            done
            if [ $ready = no ]; then echo "the keyring is not \(state)"; exit; fi

            """
        let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "CHILD": Child.path]
        let words = ["dbus-run-session", "--", "/bin/sh", "-c", keyring + lines]
        return try Child.run([], in: folder, environment: environment, wrapper: words).output.split(separator: "\n")
    }

    @Test("keeps a secret, gives it back, and replaces it", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func keeps() throws {
        let said = try session(.unlocked, "$CHILD find; $CHILD save AB; $CHILD find; $CHILD save C; $CHILD find")
        #expect(said == ["none", "saved", "[65, 66]", "saved", "[67]"])
    }

    @Test("keeps items apart by an attribute, and finds all by those they share", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func apart() throws {
        let said = try session(
            .unlocked, "$CHILD save A one; $CHILD save B two; $CHILD find one; $CHILD find two; $CHILD find; $CHILD find three")
        #expect(said == ["saved", "saved", "[65]", "[66]", "[65] [66]", "none"])
    }

    @Test("removes the items that have the attributes, and no others", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func removes() throws {
        let said = try session(
            .unlocked, "$CHILD save A one; $CHILD save B two; $CHILD remove one; $CHILD find one; $CHILD find two; $CHILD remove one")
        #expect(said == ["saved", "saved", "removed 1", "none", "[66]", "removed 0"])
    }

    @Test("says that it is locked, and nobody is asked for a password", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func locked() throws {
        #expect(try session(.unlocked, "$CHILD save AB") == ["saved"])
        #expect(try session(.locked, "$CHILD find; $CHILD save C; $CHILD remove") == ["locked", "locked", "locked"])
    }

    @Test("has no place for a secret where nobody has made one", .enabled(if: isInstalled, "gnome-keyring is not installed"))
    func empty() throws {
        #expect(try session(.empty, "$CHILD find; $CHILD save AB") == ["none", "no collection"])
    }

    @Test("is not available where there is no bus", arguments: ["find", "save", "remove"])
    func noBus(word: String) throws {
        let environment = ["XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
        #expect(try Child.run([word, "AB"], in: folder, environment: environment).output == "not available\n")
    }
}
