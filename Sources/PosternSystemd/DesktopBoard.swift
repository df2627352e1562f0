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
            Set(try reply.array(of: "s"))
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
            message.strings("Postern")
            message.number(replaced)
            message.strings("dialog-password", summary, body)
            message.container(.array, "s") {
                // The second is for a click on the text, and for desktops that show no buttons.
                for key in takesButton ? [Self.action, "default"] : [] { message.strings(key, words) }
            }
            message.container(.array, "{sv}") {
                // Normal: it can wait, and disappears by itself on desktops that do so.
                message.container(.entry, "sv") { message.append { postern_bus_append_byte_variant($0, "urgency", 1) } }
            }
            // The desktop decides how long it is shown.
            message.append { postern_bus_append_signed($0, -1) }
        } read: { reply throws(BusError) in
            try reply.number()
        }
    }

    private func withdraw(_ key: String) throws(BusError) {
        guard let number = numbers.removeValue(forKey: key) else { return }
        try close(number)
    }

    private func close(_ number: UInt32) throws(BusError) {
        do throws(BusError) {
            try bus.call(Self.name, Self.path, Self.name, "CloseNotification") { $0.number(number) }
        } catch {
            // It is gone already.
            if error.name == nil { throw error }
        }
    }

    func listen(tell: (Event) -> Void) throws(BusError) {
        while try bus.received(read: { message throws(BusError) in try heard(message, tell: tell) }) != nil {}
    }

    private func heard(_ message: BusReader, tell: (Event) -> Void) throws(BusError) {
        if message.isSignal(Self.name, "NotificationClosed", from: owner) {
            guard let key = key(of: try message.number()) else { return }
            numbers[key] = nil
            tell(.closed(key: key))
        } else if message.isSignal(Self.name, "ActivationToken", from: owner) {
            let number = try message.number()
            activation = ActivationToken(try message.string()).map { (number, $0) }
        } else if message.isSignal(Self.name, "ActionInvoked", from: owner) {
            let number = try message.number()
            // It can be used once, whatever follows.
            let token = activation.flatMap { $0.number == number ? $0.token : nil }
            activation = nil
            guard let key = key(of: number) else { return }
            numbers[key] = nil
            tell(.buttonPressed(key: key, activationToken: token))
            // Most desktops do that by themselves.
            try close(number)
        } else if let newOwner = try message.newOwner(of: Self.name), newOwner != owner {
            // If we started the service, its own start is reported as well.
            throw BusError(name: nil, reason: "the desktop's notification service has stopped")
        }
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
