import CSystemd
import Glibc

/// Shows notifications with the desktop portal: the daemon's side, which has a helper call it.
final class PortalProcessBoard: NotificationBoard {
    typealias Event = DesktopNotifications.Event

    /// In seconds: how long a helper may take to read. It is idle while the portal is, which answers in three.
    private static let patience = 30

    private let socket: Int32
    /// Why the portal is used.
    private let instead: BusError
    private var reader = PortalRecord.Reader()
    private var shown: Set<String> = []
    /// What has yet to be answered, in order: the key of what to show; nil for a withdrawal.
    private var sent: [String?] = []

    /// - Parameter helper: a command that calls ``PortalNotifications/answer()``; it exits with this object.
    init(_ helper: [String], environment: [String: String], instead: BusError) throws(LaunchError) {
        self.instead = instead
        socket = try PortalProcess.start(helper, environment: environment)
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        _ = setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    var isEmpty: Bool { shown.isEmpty && sent.isEmpty }
    var keys: [String] { Array(shown) }

    func perform(_ command: DesktopNotifications.Command, tell: (Event) -> Void) throws(BusError) {
        switch command {
        case .show(let notification):
            sent.append(notification.key)
            try send(.show(notification), tell: tell)
        case .withdraw(let key):
            shown.remove(key)
            sent.append(nil)
            try send(.withdraw(key: key), tell: tell)
        case .withdrawAll:
            shown = []
            sent.append(nil)
            try send(.withdrawAll, tell: tell)
        }
    }

    private func send(_ record: PortalRecord, tell: (Event) -> Void) throws(BusError) {
        var rest = record.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                // It may have sent the reason why it exited.
                try listen(tell: tell)
                throw gone("the helper for it does not read", tell: tell)
            }
            rest = rest.dropFirst(count)
        }
    }

    func listen(tell: (Event) -> Void) throws(BusError) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { throw gone("the helper for it has ended", tell: tell) }
            reader.append(chunk[..<count])
            while let record = try next(tell: tell) { try received(record, tell: tell) }
        }
    }

    private func next(tell: (Event) -> Void) throws(BusError) -> PortalRecord? {
        do throws(BusError) { return try reader.next() } catch { throw gone(error.reason, tell: tell) }
    }

    private func received(_ record: PortalRecord, tell: (Event) -> Void) throws(BusError) {
        switch record {
        case .pressed(let key):
            // If it was withdrawn meanwhile, the press is ignored.
            if shown.remove(key) != nil { tell(.buttonPressed(key: key, activationToken: nil)) }
        case .shown: if let key = answered() { shown.insert(key) }
        case .refused(let reason):
            guard let key = answered() else { break }
            shown.remove(key)
            tell(.notShown(key: key, reason: error(reason).description))
        case .withdrawn: _ = answered()
        case .gone(let reason): throw gone(reason, tell: tell)
        case .show, .withdraw, .withdrawAll: throw gone("the helper for it sent a command", tell: tell)
        }
    }

    private func answered() -> String? { sent.isEmpty ? nil : sent.removeFirst() }

    /// Nothing more can be shown.
    private func gone(_ reason: String, tell: (Event) -> Void) -> BusError {
        let error = error(reason)
        for case .some(let key) in sent {
            shown.remove(key)
            tell(.notShown(key: key, reason: error.description))
        }
        sent = []
        return error
    }

    private func error(_ reason: String) -> BusError { BusError(name: nil, reason: "\(instead); the desktop portal: \(reason)") }

    func wait(orFor waker: Int32) throws(BusError) {
        var entries = [
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        // If interrupted, it is checked again anyway.
        _ = poll(&entries, 2, -1)
    }
}
