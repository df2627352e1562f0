import CSystemd
import Glibc

/// Notifications with the desktop portal (org.freedesktop.portal.Notification): the work of the daemon's helper (``PortalProcess``).
public enum PortalNotifications {
    /// Carries out the commands on standard input until that ends, and reports the results on standard output. At the end, visible
    /// notifications are withdrawn.
    public static func answer() {
        // It exits when the daemon does, and no sooner: a service manager signals all of a service's processes at once.
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
        do throws(BusError) {
            let board = try Board()
            var reader = PortalRecord.Reader()
            while let bytes = receive() {
                reader.append(bytes)
                while let record = try reader.next() { try board.perform(record, tell: report) }
                try board.listen(tell: report)
                try board.wait()
            }
            try board.withdrawAll()
        } catch {
            report(.gone(reason: error.description))
        }
    }

    /// Reads what is available, possibly nothing; nil at the end.
    private static func receive() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = recv(STDIN_FILENO, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    private static func report(_ record: PortalRecord) {
        var rest = record.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // The daemon has gone, and the input has ended.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension PortalNotifications {
    /// Our notifications at the portal, over one connection.
    private final class Board {
        private static let service = "org.freedesktop.portal.Desktop"
        private static let path = "/org/freedesktop/portal/desktop"
        private static let interface = "org.freedesktop.portal.Notification"
        private static let action = "sign-in"
        /// Outside a sandbox all programs without an application's ID share their notifications' IDs.
        private static let prefix = "io.postern "

        /// In microseconds: the bus allows a service this much time to start, which may start others; nobody waits for it.
        private static let startTime: UInt64 = 25_000_000

        private let bus: Bus
        /// The portal's connection: signals from others are ignored.
        private let owner: String
        private var shown: Set<String> = []

        init() throws(BusError) {
            bus = try Bus()
            try bus.subscribe(to: "ActionInvoked", of: Self.interface, from: Self.service)
            try bus.subscribe(toOwnerOf: Self.service)
            // Starts the portal if it is not running yet; it has this interface only if the desktop shows notifications.
            _ = try bus.call(Self.service, Self.path, "org.freedesktop.DBus.Properties", "Get", within: Self.startTime) { message in
                message.strings(Self.interface, "version")
            } read: { reply throws(BusError) in
                try reply.enter(.variant, "u")
            }
            owner = try bus.owner(of: Self.service)
        }

        func perform(_ record: PortalRecord, tell: (PortalRecord) -> Void) throws(BusError) {
            switch record {
            case .show(let notification):
                do throws(BusError) {
                    try show(notification)
                    shown.insert(notification.key)
                    tell(.shown)
                } catch {
                    tell(.refused(reason: error.description))
                }
            case .withdraw(let key):
                try withdraw(key)
                tell(.withdrawn)
            case .withdrawAll:
                try withdrawAll()
                tell(.withdrawn)
            // Only the daemon is at the other end.
            case .shown, .refused, .withdrawn, .pressed, .gone: break
            }
        }

        private func show(_ notification: DesktopNotifications.Notification) throws(BusError) {
            try bus.call(Self.service, Self.path, Self.interface, "AddNotification") { message in
                message.strings(Self.prefix + notification.key)
                message.container(.array, "{sv}") {
                    message.property("title", notification.summary)
                    message.property("body", notification.body)
                    message.container(.entry, "sv") { message.append { postern_bus_append_icon($0, "dialog-password") } }
                    // It can wait.
                    message.property("priority", "normal")
                    guard let words = notification.button else { return }
                    // For a click on the text.
                    message.property("default-action", Self.action)
                    message.property("buttons", "aa{sv}") {
                        message.container(.array, "a{sv}") {
                            message.container(.array, "{sv}") {
                                message.property("label", words)
                                message.property("action", Self.action)
                            }
                        }
                    }
                }
            }
        }

        private func withdraw(_ key: String) throws(BusError) {
            guard shown.remove(key) != nil else { return }
            do throws(BusError) {
                try bus.call(Self.service, Self.path, Self.interface, "RemoveNotification") { $0.strings(Self.prefix + key) }
            } catch {
                // It is gone already.
                if error.name == nil { throw error }
            }
        }

        func withdrawAll() throws(BusError) { for key in shown { try withdraw(key) } }

        /// Processes what has arrived, without waiting.
        func listen(tell: (PortalRecord) -> Void) throws(BusError) {
            while try bus.received(read: { message throws(BusError) in try heard(message, tell: tell) }) != nil {}
        }

        private func heard(_ message: BusReader, tell: (PortalRecord) -> Void) throws(BusError) {
            if message.isSignal(Self.interface, "ActionInvoked", from: owner) {
                let id = try message.string()
                guard id.utf8.starts(with: Self.prefix.utf8) else { return }
                let key = String(Substring(id.utf8.dropFirst(Self.prefix.utf8.count)))
                guard shown.contains(key) else { return }
                tell(.pressed(key: key))
                // Most desktops do that by themselves.
                try withdraw(key)
            } else if let newOwner = try message.newOwner(of: Self.service), newOwner != owner {
                // If we started the service, its own start is reported as well.
                throw BusError(name: nil, reason: "it has gone")
            }
        }

        func wait() throws(BusError) { try bus.wait(orFor: STDIN_FILENO) }
    }
}
