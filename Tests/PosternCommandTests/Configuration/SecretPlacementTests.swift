import Glibc
import PosternConfiguration
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Where setup puts a secret")
struct SecretPlacementTests {
    /// With a `secret-tool` that does what the script says.
    private final class TerminalLocation {
        let path: String

        init() {
            var template = Array("/tmp/postern-placement-XXXXXX".utf8CString)
            mkdtemp(&template)
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            for name in ["secret-tool", "kept", "locked", "failing"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }

        func write(_ name: String, _ text: String = "") throws {
            try ReplacedFile("\(path)/\(name)").write(Array(text.utf8), mode: 0o700)
        }

        var kept: String? {
            guard let file = fopen("\(path)/kept", "r") else { return nil }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 100)
            return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        }

        /// As libsecret's: a declined unlocking looks like a missing secret, and a search finds locked items too.
        func keyring() throws -> PlacedSecret {
            try write(
                "secret-tool",
                """
                #!/bin/sh
                cd \(path)
                if [ -e failing ]; then echo "secret-tool: Timeout was reached" >&2; exit 1; fi
                case $1 in
                store) cat > kept;;
                search) [ ! -e kept ] || echo "[/1]";;
                lookup) [ ! -e locked ] && [ -e kept ] && cat kept;;
                clear) [ ! -e locked ] && [ -e kept ] && rm kept;;
                esac
                """)
            return secret(.keyring, environment: ["PATH": "\(path):/usr/bin:/bin", "HOME": path])
        }

        func secret(_ placement: SecretPlacement, in directory: String? = nil, environment: [String: String]) -> PlacedSecret {
            PlacedSecret(
                providerID: "github.com", key: "client-secret", placement: placement, directory: directory ?? path, environment: environment)
        }
    }

    @Test("undoing restores the keyring's secret, or removes the new one if there was none", arguments: [nil, "old"])
    func undo(old: String?) throws {
        let place = TerminalLocation()
        let secret = try place.keyring()
        if let old { try place.write("kept", old) }
        let undo = try secret.undo(of: "new")
        try secret.store("new")
        #expect(place.kept == "new")
        try undo()
        #expect(place.kept == old)
    }

    @Test("undoing leaves another secret that came in the meantime, in the keyring as in a file", arguments: [nil, "old"])
    func another(old: String?) throws {
        let place = TerminalLocation()
        let secret = try place.keyring()
        if let old { try place.write("kept", old) }
        let undo = try secret.undo(of: "new")
        try secret.store("new")
        try place.write("kept", "another's")
        #expect(throws: CommandFailure.self) { try undo() }
        #expect(place.kept == "another's")

        let snapshot = try FileSnapshot("\(place.path)/kept", isSecret: true)
        try place.write("kept", "new")
        #expect(throws: CommandFailure.self) { try snapshot.restore(over: Array("something else".utf8)) }
        #expect(place.kept == "new")
        try snapshot.restore(over: Array("new".utf8))
        #expect(place.kept == "another's")
    }

    @Test("a lock on the configuration that another command does not let go is not waited for without end")
    func lock() throws {
        let place = TerminalLocation()
        try ConfigurationLock.held(for: "\(place.path)/config.toml") {
            let failure = #expect(throws: CommandFailure.self) {
                try ConfigurationLock.held(for: "\(place.path)/config.toml", patience: 0) { Issue.record("it was held twice") }
            }
            #expect(failure?.sentence.contains("another command") == true)
        }
        #expect(try ConfigurationLock.held(for: "\(place.path)/config.toml", patience: 0) { true })
    }

    @Test(
        "a given secret is the first line without what editors and the clipboard put around it",
        arguments: [("\u{FEFF} hun ter2 \r\nmore", "hun ter2"), ("hunter2", "hunter2"), ("\u{FEFF}", ""), (" \t\n", "")])
    func line(text: String, line: String) throws { #expect(try SecretFile.line(of: Array(text.utf8), from: "x") == line) }

    @Test("a given secret that is not UTF-8 is not changed but refused")
    func otherEncoding() {
        #expect(throws: CommandFailure.self) { try SecretFile.line(of: Array("caf".utf8) + [0xE9, 0x0A], from: "x") }
    }

    @Test("a keyring that is locked or fails is not taken for one without the secret", arguments: ["locked", "failing"])
    func unknown(state: String) throws {
        let place = TerminalLocation()
        let secret = try place.keyring()
        try place.write("kept", "old")
        try place.write(state)
        let failure = #expect(throws: CommandFailure.self) { _ = try secret.undo(of: "new") }
        #expect(failure?.sentence.contains(state == "locked" ? "(it is locked)" : "(secret-tool: Timeout was reached)") == true)
        #expect(failure?.sentence.contains("nothing was stored") == true && failure?.advice != nil)
        #expect(place.kept == "old")
    }

    @Test("the drop-in names the file as systemd reads it, in the directory that is announced")
    func credential() throws {
        let place = TerminalLocation()
        let environment = ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/x"]
        let lines = try place.secret(.credential, in: "/home/ada/100%h/postern", environment: environment).announcement()
        #expect(lines.contains("  LoadCredential=postern-github.com:/home/ada/100%%h/postern/github.com.secret"))
        #expect(lines.contains("  ~/x/systemd/user/postern.service.d/postern-github.com.conf:"))
        let usual = try place.secret(.credential, environment: ["HOME": "/home/ada"]).announcement()
        #expect(usual.contains("  ~/.config/systemd/user/postern.service.d/postern-github.com.conf:"))
    }

    @Test("a path that would end the line of the drop-in is refused", arguments: ["\n", "\r"])
    func lineBreak(character: String) throws {
        let place = TerminalLocation()
        let directory = "/home/ada/x\(character)Environment=A=b"
        let failure = #expect(throws: CommandFailure.self) {
            _ = try place.secret(.credential, in: directory, environment: ["HOME": "/home/ada"]).value()
        }
        #expect(failure?.sentence.contains("line break") == true)
        #expect(throws: Never.self) { _ = try place.secret(.file, in: directory, environment: ["HOME": "/home/ada"]).value() }
    }
}
