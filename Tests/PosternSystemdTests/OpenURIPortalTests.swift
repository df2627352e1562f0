import Glibc
import Testing

@testable import PosternSystemd

/// The real portal opens pages in the end-to-end tests; here is what can become of the helper that asks it.
@Suite("A page that the desktop portal opens")
struct OpenURIPortalTests {
    private let folder: TemporaryFolder
    private static let page = "https://login.example/authorize?state=x&code_challenge=`id`"

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ url: String = page, with script: String, environment: [String: String] = [:], patience: Duration = .seconds(20)
    ) -> String? {
        do throws(LaunchError) {
            try OpenURIPortal.open(url, helper: ["/bin/sh", "-c", script], environment: environment, patience: patience)
            return nil
        } catch {
            return error.description
        }
    }

    private static func problem(_ reason: String) -> String { "the desktop portal did not open the page: \(reason)" }

    @Test("is opened where the helper says so, whether or not it stays")
    func opened() {
        #expect(open(with: "read -r page; echo opened") == nil)
        #expect(open(with: "echo opened; exec cat") == nil)
    }

    @Test("has its address on the helper's standard input, and nowhere else that others can read")
    func address() throws {
        let script = #"read -r page; { echo "$page"; tr '\0' '\n' </proc/$$/cmdline /proc/$$/environ; } >"# + folder.path("seen") + "; echo opened"
        let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "XDG_RUNTIME_DIR": "/run/user/1", "SECRET": "x", "NOTIFY_SOCKET": "y"]
        #expect(open(with: script, environment: environment) == nil)
        let seen = try folder.read("seen")
        #expect(seen.hasPrefix(Self.page + "\n"))
        #expect(seen.split(separator: Self.page).count == 1)
        #expect(!seen.contains("SECRET") && !seen.contains("NOTIFY_SOCKET"))
    }

    @Test(
        "a button's token is what a desktop would give",
        arguments: [("gnome-shell/posternd/4711-0-host_TIME123", true), (String(repeating: "x", count: 256), true), (String(repeating: "x", count: 257), false)]
            + ["", "two words", "a\nb", "ü"].map { ($0, false) })
    func tokens(text: String, isOne: Bool) { #expect(ActivationToken(text)?.text == (isOne ? text : nil)) }

    @Test("has the token of the button that asked for it behind its address")
    func activation() throws {
        let seen = folder.path("seen")
        try OpenURIPortal.open(
            Self.page, activationToken: ActivationToken("token-1"), helper: ["/bin/sh", "-c", "read -r line; echo \"$line\" >\(seen); echo opened"],
            environment: [:])
        #expect(try folder.read("seen") == "\(Self.page) token-1\n")
    }

    @Test(
        "is not opened where the helper says why, says nothing, or does not stop",
        arguments: [
            ("read -r page; echo 'OpenURI: no (Error.Name)'", "OpenURI: no (Error.Name)"),
            ("echo at once", "at once"),
            ("exit 0", "the helper for it ended without an answer"),
            ("printf 'no line'", "the helper for it ended without an answer"),
            ("kill -9 $$", "the helper for it ended without an answer"),
            ("exec tr '\\0' x </dev/zero", "the helper for it does not exit"),
        ])
    func problems(script: String, reason: String) {
        #expect(open(with: script) == Self.problem(reason))
    }

    @Test("is given up where the helper neither reads nor answers, however long its address is", arguments: [100, 65_536])
    func silence(length: Int) {
        let page = String(repeating: "a", count: length)
        let problem = open(page, with: "exec sleep 2", patience: .milliseconds(200))
        #expect(problem == Self.problem("the helper for it did not answer in time"))
    }

    @Test("arrives whole where its address is as long as it may be")
    func long() {
        let page = String(repeating: "a", count: 65_536)
        #expect(open(page, with: #"read -r page; echo "${#page}""#) == Self.problem("65536"))
        #expect(open(page + "a", with: "echo opened") == Self.problem("its address is longer than 65536 bytes"))
    }

    @Test("is not opened where there is no helper")
    func missing() {
        #expect(throws: LaunchError("the desktop portal did not open the page: there is no program /no/such/helper on PATH")) {
            try OpenURIPortal.open(Self.page, helper: ["/no/such/helper"], environment: [:])
        }
    }

    @Test("is not opened where there is no session bus, which the helper says")
    func noBus() throws {
        let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path("bus"))"]
        do throws(LaunchError) {
            try OpenURIPortal.open(Self.page, helper: [Child.path, "portal"], environment: environment)
            Issue.record("it was opened")
        } catch {
            #expect(error.description.hasPrefix("the desktop portal did not open the page: "))
            #expect(error.description.hasSuffix("No such file or directory"), "\(error)")
        }
    }
}
