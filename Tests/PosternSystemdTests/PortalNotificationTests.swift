import Testing

@testable import PosternSystemd

/// The real portal shows notifications in the end-to-end tests; here is what the daemon and its helper say to each other, and what becomes
/// of a helper that does not do as it should.
@Suite("Notifications that the desktop portal shows")
struct PortalNotificationTests {
    private static let notification = DesktopNotifications.Notification(
        key: "work 42", summary: "Sign in to work again", body: "Ada: <b>&\nRun: postern sign-in work", button: "サインイン")
    private static let records: [PortalRecord] = [
        .show(notification), .show(.init(key: "", summary: "", body: "", button: nil)), .withdraw(key: "work 42"), .withdrawAll, .shown,
        .refused(reason: "no"), .withdrawn, .pressed(key: "work 42"), .gone(reason: "it has gone"),
    ]

    @Test("Records arrive as they were sent, in whatever pieces", arguments: [1, 2, 7, 4096])
    func pieces(size: Int) throws {
        let bytes = Self.records.flatMap(\.bytes)
        var reader = PortalRecord.Reader()
        var read: [PortalRecord] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(bytes[start..<min(start + size, bytes.count)])
            while let record = try reader.next() { read.append(record) }
        }
        #expect(read == Self.records)
    }

    @Test("A NUL in a text ends no record")
    func zeros() throws {
        var reader = PortalRecord.Reader()
        reader.append(PortalRecord.pressed(key: "a\0shown\0b").bytes)
        #expect(try reader.next() == .pressed(key: "ashownb"))
        #expect(try reader.next() == nil)
    }

    @Test("An invalid record is refused, and so is an endless one", arguments: ["nonsense\0", "\0", String(repeating: "x", count: 65_537)])
    func garbage(text: String) {
        var reader = PortalRecord.Reader()
        reader.append(text.utf8)
        #expect(throws: BusError.self) { try reader.next() }
    }

    @Test(
        "A token of the desktop is printable and short",
        arguments: [
            ("4711", true), ("gnome-shell/firefox/1-0-host_TIME5", true), (String(repeating: "x", count: 256), true), ("", false),
            (String(repeating: "x", count: 257), false), ("a b", false), ("a\n", false), ("a\u{7F}", false), ("é", false),
        ])
    func tokens(text: String, isOne: Bool) { #expect((ActivationToken(text) != nil) == isOne) }

    // MARK: The helper

    /// What is reported of one notification, until nothing more is.
    private func told(by script: String) throws -> [DesktopNotifications.Event] {
        let board = try PortalProcessBoard(
            ["/bin/sh", "-c", script], environment: [:], instead: BusError(name: "a.B", reason: "no desktop"))
        var events: [DesktopNotifications.Event] = []
        do throws(BusError) {
            try board.perform(.show(Self.notification)) { events.append($0) }
            while !board.isEmpty {
                try board.wait(orFor: -1)
                try board.listen { events.append($0) }
            }
        } catch {
            events += board.keys.map { .closed(key: $0) }
        }
        return events
    }

    @Test("A press is told, after the notification was shown, and once")
    func pressed() throws {
        let script = #"printf 'shown\0pressed\0work 42\0pressed\0work 42\0'; exec cat >/dev/null"#
        #expect(try told(by: script) == [.buttonPressed(key: "work 42", activationToken: nil)])
    }

    @Test(
        "Where it is not shown, both reasons are told",
        arguments: [
            (#"printf 'refused\0too many\0'; exec cat >/dev/null"#, "too many"),
            (#"printf 'gone\0there is no portal\0'"#, "there is no portal"), ("exit 0", "the helper for it has ended"),
            (#"printf 'what\0'; exec cat >/dev/null"#, "its message is not understood"),
            (#"printf 'withdraw-all\0'; exec cat >/dev/null"#, "the helper for it sent a command"),
        ])
    func notShown(script: String, reason: String) throws {
        let reasons = "no desktop (a.B); the desktop portal: \(reason)"
        #expect(try told(by: script) == [.notShown(key: "work 42", reason: reasons)])
    }

    @Test("A notification whose portal goes is closed")
    func gone() throws {
        #expect(try told(by: #"printf 'shown\0gone\0it has gone\0'"#) == [.closed(key: "work 42")])
    }

    @Test("It gets nothing of the environment but where the session bus is")
    func environment() throws {
        let folder = try TemporaryFolder()
        let board = try PortalProcessBoard(
            ["/bin/sh", "-c", "env >\(folder.path("seen")); printf 'gone\\0\\0'"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "XDG_RUNTIME_DIR": "/run/user/1", "SECRET": "x"],
            instead: BusError(name: nil, reason: ""))
        #expect(throws: BusError.self) {
            try board.wait(orFor: -1)
            try board.listen { _ in }
        }
        let seen = try folder.read("seen")
        #expect(seen.contains("unix:path=/nowhere") && seen.contains("/run/user/1") && !seen.contains("SECRET"))
    }
}
