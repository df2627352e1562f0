import CProcess
import CSystemd
import Glibc
import Synchronization

/// Notifications on the desktop (org.freedesktop.Notifications), with a button each.
///
/// One connection to the session bus, on a thread of its caller's, which ``run(_:)`` keeps for as long as something is shown: some
/// desktops tell the press of a button to the connection alone that showed it, and take notifications back when that goes. Nothing is
/// connected while nothing is shown. The thread sleeps in the kernel until the bus or ``send(_:)`` wakes it.
public final class DesktopNotifications: Sendable {
    public struct Notification: Sendable, Equatable {
        /// Another one with the same key takes its place.
        public var key: String
        public var summary: String
        /// Plain text, which is escaped where the desktop takes markup.
        public var body: String
        /// The words on the button; nil: there is none.
        public var button: String?

        public init(key: String, summary: String, body: String, button: String?) {
            self.key = key
            self.summary = summary
            self.body = body
            self.button = button
        }
    }

    public enum Command: Sendable {
        case show(Notification)
        case withdraw(key: String)
        case withdrawAll
    }

    public enum Event: Sendable, Equatable {
        case buttonPressed(key: String)
        case closed(key: String)
        /// Or not any more: the bus or the desktop has gone.
        case notShown(key: String, reason: String)
    }

    private struct State {
        var commands: [Command] = []
        var isRunning = false
    }

    /// Far more than there are accounts.
    private static let mostCommands = 1024

    private let state = Mutex(State())
    /// A pipe: readable once a command waits.
    private let waker: (reading: Int32, writing: Int32)

    public init() {
        var ends: [Int32] = [-1, -1]
        _ = postern_pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        waker = (ends[0], ends[1])
    }

    deinit {
        close(waker.reading)
        close(waker.writing)
    }

    /// Never blocks.
    ///
    /// - Returns: true where nobody runs, and ``run(_:)`` is to be called.
    public func send(_ command: Command) -> Bool {
        let mustRun = state.withLock { state in
            // Whoever waits that long for a desktop is not helped by more.
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // A pipe that is full wakes as well.
        var byte: UInt8 = 0
        _ = write(waker.writing, &byte, 1)
        return mustRun
    }

    /// Nobody can run: what waits is told to be not shown.
    public func giveUp(_ reason: String, tell: (Event) -> Void) {
        let commands = state.withLock { state in
            defer { state = State() }
            return state.commands
        }
        for case .show(let notification) in commands { tell(.notShown(key: notification.key, reason: reason)) }
    }

    /// Carries out commands until none is left and nothing is shown; blocks.
    ///
    /// - Parameter tell: called on this thread.
    public func run(_ tell: (Event) -> Void) {
        guard waker.reading >= 0 else { return giveUp("no descriptor is to be had", tell: tell) }
        let board: Board
        do throws(BusError) { board = try Board() } catch { return giveUp(error.description, tell: tell) }
        do throws(BusError) {
            repeat {
                for command in take() { try board.perform(command, tell: tell) }
                try board.listen(tell: tell)
                if board.isEmpty, endIfIdle() { return }
                try board.wait(orFor: waker.reading)
            } while true
        } catch {
            // What was shown may be there still, without anybody who hears its button.
            for key in board.keys { tell(.closed(key: key)) }
            giveUp(error.description, tell: tell)
        }
    }

    private func take() -> [Command] {
        var bytes = [UInt8](repeating: 0, count: Self.mostCommands)
        while read(waker.reading, &bytes, bytes.count) == bytes.count {}
        return state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// A command that comes in this moment finds a runner, or makes one.
    private func endIfIdle() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.isRunning = false
            return true
        }
    }
}

extension DesktopNotifications {
    /// What is shown, over one connection.
    private final class Board {
        private static let name = "org.freedesktop.Notifications"
        private static let path = "/org/freedesktop/Notifications"
        private static let action = "sign-in"

        private let bus: Bus
        /// The connection of the desktop: signals of others are not heard.
        private let owner: String
        private let capabilities: Set<String>
        private var numbers: [String: UInt32] = [:]

        init() throws(BusError) {
            bus = try Bus()
            for member in ["NotificationClosed", "ActionInvoked"] { try bus.subscribe(to: member, of: Self.name, from: Self.name) }
            try bus.subscribe(to: "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", about: Self.name)
            // First, since it starts a desktop that is not running yet.
            capabilities = try bus.call(Self.name, Self.path, Self.name, "GetCapabilities") { reply throws(BusError) in
                Set(try Bus.strings(reply))
            }
            owner = try bus.owner(of: Self.name)
        }

        var isEmpty: Bool { numbers.isEmpty }
        var keys: [String] { Array(numbers.keys) }

        func perform(_ command: Command, tell: (Event) -> Void) throws(BusError) {
            switch command {
            case .show(let notification):
                do throws(BusError) { numbers[notification.key] = try show(notification) } catch {
                    tell(.notShown(key: notification.key, reason: error.description))
                    // One notification may be refused; a bus that has gone takes no further one.
                    if error.name == nil { throw error }
                }
            case .withdraw(let key): try withdraw(key)
            case .withdrawAll: for key in numbers.keys { try withdraw(key) }
            }
        }

        private func show(_ notification: Notification) throws(BusError) -> UInt32 {
            let takesButton = notification.button != nil && capabilities.contains("actions")
            var (summary, body) = (notification.summary, notification.body)
            if !capabilities.contains("body") { (summary, body) = ("\(summary): \(body)", "") }
            // The summary is never markup.
            if capabilities.contains("body-markup") { body = Self.escaped(body) }
            let words = takesButton ? notification.button ?? "" : ""
            let replaced = numbers[notification.key] ?? 0
            return try bus.call(Self.name, Self.path, Self.name, "Notify") { message in
                var result = firstError(
                    { postern_bus_append_string(message, "Postern") }, { postern_bus_append_number(message, replaced) },
                    { postern_bus_append_string(message, "dialog-password") }, { postern_bus_append_string(message, summary) },
                    { postern_bus_append_string(message, body) },
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "s") })
                // The second is for a click on the text, and for desktops that show no buttons.
                for key in takesButton ? [Self.action, "default"] : [] where result >= 0 {
                    result = firstError({ postern_bus_append_string(message, key) }, { postern_bus_append_string(message, words) })
                }
                guard result >= 0 else { return result }
                return firstError(
                    { sd_bus_message_close_container(message) },
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}") },
                    // Normal: it can wait, and goes away by itself where others do.
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv") },
                    { postern_bus_append_byte_variant(message, "urgency", 1) }, { sd_bus_message_close_container(message) },
                    { sd_bus_message_close_container(message) },
                    // How long is for the desktop to say.
                    { postern_bus_append_signed(message, -1) })
            } read: { reply throws(BusError) in
                var number: UInt32 = 0
                try Bus.check(postern_bus_read_number(reply, &number), "the notification's number cannot be read")
                return number
            }
        }

        private func withdraw(_ key: String) throws(BusError) {
            guard let number = numbers.removeValue(forKey: key) else { return }
            try close(number)
        }

        private func close(_ number: UInt32) throws(BusError) {
            do throws(BusError) {
                try bus.call(Self.name, Self.path, Self.name, "CloseNotification") { message in
                    postern_bus_append_number(message, number)
                } read: { _ throws(BusError) in
                }
            } catch {
                // Gone already.
                if error.name == nil { throw error }
            }
        }

        /// Hears what has come, and waits for nothing.
        func listen(tell: (Event) -> Void) throws(BusError) {
            while let signal = try bus.received(read: { message throws(BusError) in try self.signal(message) }) {
                switch signal {
                case .none: break
                case .closed(let number):
                    guard let key = key(of: number) else { break }
                    numbers[key] = nil
                    tell(.closed(key: key))
                case .invoked(let number):
                    guard let key = key(of: number) else { break }
                    numbers[key] = nil
                    tell(.buttonPressed(key: key))
                    // Most desktops do that by themselves.
                    try close(number)
                case .gone: throw BusError(name: nil, reason: "the desktop's notifications have gone")
                }
            }
        }

        private enum Signal {
            case none
            case closed(UInt32)
            case invoked(UInt32)
            case gone
        }

        private func signal(_ message: OpaquePointer) throws(BusError) -> Signal {
            func isSignal(_ interface: String, _ member: String, from sender: String) -> Bool {
                sd_bus_message_is_signal(message, interface, member) > 0
                    && sd_bus_message_get_sender(message).map { String(cString: $0) } == sender
            }
            var number: UInt32 = 0
            if isSignal(Self.name, "NotificationClosed", from: owner) {
                try Bus.check(postern_bus_read_number(message, &number), "a signal cannot be read")
                return .closed(number)
            }
            if isSignal(Self.name, "ActionInvoked", from: owner) {
                try Bus.check(postern_bus_read_number(message, &number), "a signal cannot be read")
                return .invoked(number)
            }
            if isSignal("org.freedesktop.DBus", "NameOwnerChanged", from: "org.freedesktop.DBus") {
                var name: UnsafePointer<CChar>?
                try Bus.check(postern_bus_read_string(message, &name), "a signal cannot be read")
                // It was the owner when we asked, so any change is its going.
                return name.map { String(cString: $0) } == Self.name ? .gone : .none
            }
            return .none
        }

        private func key(of number: UInt32) -> String? { numbers.first { $0.value == number }?.key }

        func wait(orFor waker: Int32) throws(BusError) { try bus.wait(orFor: waker) }

        private static func escaped(_ text: String) -> String {
            var escaped = ""
            for character in text.unicodeScalars {
                switch character {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                default: escaped.unicodeScalars.append(character)
                }
            }
            return escaped
        }
    }
}
