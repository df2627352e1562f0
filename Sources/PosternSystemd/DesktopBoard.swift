import CSystemd

/// Shows notifications with `org.freedesktop.Notifications`, over one connection.
final class DesktopBoard: NotificationBoard {
    typealias Notification = DesktopNotifications.Notification
    typealias Event = DesktopNotifications.Event

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let action = "sign-in"

    private let bus: Bus
    /// The desktop's connection: signals from others are ignored.
    private let owner: String
    private let capabilities: Set<String>
    private var numbers: [String: UInt32] = [:]
    /// Sent just before the press that it belongs to.
    private var activation: (number: UInt32, token: ActivationToken)?

    init() throws(BusError) {
        bus = try Bus()
        for member in ["NotificationClosed", "ActionInvoked", "ActivationToken"] {
            try bus.subscribe(to: member, of: Self.name, from: Self.name)
        }
        try bus.subscribe(toOwnerOf: Self.name)
        // First, since it starts a desktop service that is not running yet.
        capabilities = try bus.call(Self.name, Self.path, Self.name, "GetCapabilities") { reply throws(BusError) in
            Set(try Bus.strings(reply))
        }
        owner = try bus.owner(of: Self.name)
    }

    var isEmpty: Bool { numbers.isEmpty }
    var keys: [String] { Array(numbers.keys) }

    func perform(_ command: DesktopNotifications.Command, tell: (Event) -> Void) throws(BusError) {
        switch command {
        case .show(let notification):
            do throws(BusError) { numbers[notification.key] = try show(notification) } catch {
                tell(.notShown(key: notification.key, reason: error.description))
                // One notification may be refused; if the bus is gone, no further one can be shown.
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
                // Normal: it can wait, and disappears by itself on desktops that do so.
                { sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv") },
                { postern_bus_append_byte_variant(message, "urgency", 1) }, { sd_bus_message_close_container(message) },
                { sd_bus_message_close_container(message) },
                // The desktop decides how long it is shown.
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
            // It is gone already.
            if error.name == nil { throw error }
        }
    }

    func listen(tell: (Event) -> Void) throws(BusError) {
        while let signal = try bus.received(read: { message throws(BusError) in try self.signal(message) }) {
            switch signal {
            case .none: break
            case .closed(let number):
                guard let key = key(of: number) else { break }
                numbers[key] = nil
                tell(.closed(key: key))
            case .activated(let number, let token): activation = token.map { (number, $0) }
            case .invoked(let number):
                // It can be used once, whatever follows.
                let token = activation.flatMap { $0.number == number ? $0.token : nil }
                activation = nil
                guard let key = key(of: number) else { break }
                numbers[key] = nil
                tell(.buttonPressed(key: key, activationToken: token))
                // Most desktops do that by themselves.
                try close(number)
            case .gone: throw BusError(name: nil, reason: "the desktop's notification service has stopped")
            }
        }
    }

    private enum Signal {
        case none
        case closed(UInt32)
        case activated(UInt32, ActivationToken?)
        case invoked(UInt32)
        case gone
    }

    private func signal(_ message: OpaquePointer) throws(BusError) -> Signal {
        var number: UInt32 = 0
        if Bus.isSignal(message, Self.name, "NotificationClosed", from: owner) {
            try Bus.check(postern_bus_read_number(message, &number), "a signal cannot be read")
            return .closed(number)
        }
        if Bus.isSignal(message, Self.name, "ActionInvoked", from: owner) {
            try Bus.check(postern_bus_read_number(message, &number), "a signal cannot be read")
            return .invoked(number)
        }
        if Bus.isSignal(message, Self.name, "ActivationToken", from: owner) {
            var text: UnsafePointer<CChar>?
            try Bus.check(postern_bus_read_number(message, &number), "a signal cannot be read")
            try Bus.check(postern_bus_read_string(message, &text), "a signal cannot be read")
            return .activated(number, text.flatMap { ActivationToken(String(cString: $0)) })
        }
        // If we started the service, its own start is reported as well.
        if let newOwner = try Bus.newOwner(of: Self.name, in: message), newOwner != owner { return .gone }
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
