import CSystemd
import Glibc

/// Why a call over D-Bus failed.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's name, if a service returned one: `org.freedesktop.Secret.Error.IsLocked`.
    public var name: String?
    public var reason: String

    public var description: String { name.map { "\(reason) (\($0))" } ?? reason }
}

/// A connection to the user's message bus, for one thread. Every call ends in time.
final class Bus {
    /// Running services answer in milliseconds; one that takes longer than this is as good as none.
    static let timeoutMicroseconds: UInt64 = 3_000_000

    private let bus: OpaquePointer

    init() throws(BusError) {
        bus = try Self.open()
        sd_bus_set_method_call_timeout(bus, Self.timeoutMicroseconds)
    }

    /// Like `sd_bus_close_unref`, which only systemd 241 has.
    private static func end(_ bus: OpaquePointer) {
        sd_bus_close(bus)
        sd_bus_unref(bus)
    }

    /// - Returns: a connection that has its name.
    private static func open() throws(BusError) -> OpaquePointer {
        var opened: OpaquePointer?
        var result = sd_bus_open_user(&opened)
        guard result >= 0, let bus = opened else { throw error(result, "the session bus cannot be reached") }
        result = greet(bus)
        if result >= 0 { return bus }
        end(bus)
        // How a filter reacts that does not understand us.
        guard result == -ENOTCONN || result == -ECONNRESET || result == -EPIPE else {
            throw error(result, "the session bus cannot be reached")
        }
        let socket = try BusRelay.connect()
        var made: OpaquePointer?
        result = sd_bus_new(&made)
        guard result >= 0, let relayed = made else {
            close(socket)
            throw error(result, "the session bus cannot be reached")
        }
        result = firstError(
            { sd_bus_set_fd(relayed, socket, socket) }, { sd_bus_set_bus_client(relayed, 1) }, { sd_bus_negotiate_fds(relayed, 0) },
            { sd_bus_start(relayed) }, { greet(relayed) })
        guard result >= 0 else {
            // Including its socket.
            end(relayed)
            throw error(result, "the session bus cannot be reached")
        }
        return relayed
    }

    /// Waits for the bus to assign us a name.
    private static func greet(_ bus: OpaquePointer) -> Int32 {
        var name: UnsafePointer<CChar>?
        return sd_bus_get_unique_name(bus, &name)
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// Makes one method call.
    ///
    /// - Parameters:
    ///   - microseconds: how long the answer may take.
    ///   - fill: appends the arguments; returns the first error.
    ///   - read: reads the reply, which is valid while the closure runs.
    func call<Value>(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        within microseconds: UInt64 = timeoutMicroseconds, fill: (OpaquePointer) -> Int32 = { _ in 0 },
        read: (OpaquePointer) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        var created: OpaquePointer?
        var result = sd_bus_message_new_method_call(bus, &created, destination, path, interface, member)
        guard result >= 0, let message = created else { throw Self.error(result, "no call can be made") }
        defer { sd_bus_message_unref(message) }
        // The bus starts a keyring or a portal that is not running yet.
        sd_bus_message_set_auto_start(message, 1)
        result = fill(message)
        guard result >= 0 else { throw Self.error(result, "the call \(member) cannot be written") }
        var failure = sd_bus_error()
        defer { sd_bus_error_free(&failure) }
        var received: OpaquePointer?
        result = sd_bus_call(bus, message, microseconds, &failure, &received)
        guard result >= 0, let reply = received else {
            let reason = failure.message.map { String(cString: $0) } ?? String(cString: strerror(-result))
            throw BusError(name: failure.name.map { String(cString: $0) }, reason: "\(member): \(reason)")
        }
        defer { sd_bus_message_unref(reply) }
        return try read(reply)
    }

    /// Subscribes to a signal of that service; to be called before the call that the signal follows.
    ///
    /// - Parameter subject: the signal's first argument, if only some are wanted.
    func subscribe(to member: String, of interface: String, from sender: String, about subject: String? = nil) throws(BusError) {
        try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch") { message in
            let first = subject.map { ",arg0='\($0)'" } ?? ""
            let rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'\(first)"
            return postern_bus_append_string(message, rule)
        } read: { _ throws(BusError) in
        }
    }

    /// The next signal of that object, after subscribing to it.
    ///
    /// - Parameters:
    ///   - milliseconds: how long to wait.
    ///   - read: reads it; it is valid while the closure runs.
    /// - Returns: nil if it did not arrive in time.
    func signal<Value>(
        _ member: String, of interface: String, at path: String, within milliseconds: UInt64,
        read: (OpaquePointer) throws(BusError) -> Value
    ) throws(BusError) -> Value? {
        let end = Self.monotonicMicroseconds + milliseconds * 1000
        while true {
            var received: OpaquePointer?
            let result = sd_bus_process(bus, &received)
            try Self.check(result, "the session bus connection was lost")
            if let message = received {
                defer { sd_bus_message_unref(message) }
                guard sd_bus_message_is_signal(message, interface, member) > 0,
                    let from = sd_bus_message_get_path(message), String(cString: from) == path
                else { continue }
                return try read(message)
            }
            // The queue may contain more.
            if result > 0 { continue }
            let now = Self.monotonicMicroseconds
            guard now < end else { return nil }
            let waited = sd_bus_wait(bus, end - now)
            if waited != -EINTR { try Self.check(waited, "the session bus connection was lost") }
        }
    }

    /// The connection that has this name now.
    func owner(of name: String) throws(BusError) -> String {
        try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner") { message in
            postern_bus_append_string(message, name)
        } read: { reply throws(BusError) in
            var owner: UnsafePointer<CChar>?
            try Bus.check(postern_bus_read_string(reply, &owner), "the answer cannot be read")
            return owner.map { String(cString: $0) } ?? ""
        }
    }

    /// A property that is a number.
    func number(
        _ property: String, of interface: String, _ destination: String, _ path: String,
        within microseconds: UInt64 = timeoutMicroseconds
    ) throws(BusError) -> UInt32 {
        try call(destination, path, "org.freedesktop.DBus.Properties", "Get", within: microseconds) { message in
            firstError({ postern_bus_append_string(message, interface) }, { postern_bus_append_string(message, property) })
        } read: { reply throws(BusError) in
            var number: UInt32 = 0
            try Bus.check(postern_bus_read_number_variant(reply, &number), "the answer cannot be read")
            return number
        }
    }

    /// Subscribes to changes of the name's owner, including that it has none.
    func subscribe(toOwnerOf name: String) throws(BusError) {
        try subscribe(to: "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", about: name)
    }

    /// - Returns: the connection that has the name from now on, empty for none; nil if the message is not about that name.
    static func newOwner(of name: String, in message: OpaquePointer) throws(BusError) -> String? {
        guard isSignal(message, "org.freedesktop.DBus", "NameOwnerChanged", from: "org.freedesktop.DBus") else { return nil }
        var texts: [String] = []
        for _ in 0..<3 {
            var text: UnsafePointer<CChar>?
            try check(postern_bus_read_string(message, &text), "a signal cannot be read")
            texts.append(text.map { String(cString: $0) } ?? "")
        }
        return texts[0] == name ? texts[2] : nil
    }

    /// Whether it is from that connection; everybody can send signals.
    static func isSignal(_ message: OpaquePointer, _ interface: String, _ member: String, from sender: String) -> Bool {
        sd_bus_message_is_signal(message, interface, member) > 0
            && sd_bus_message_get_sender(message).map { String(cString: $0) } == sender
    }

    /// The next message that is not a reply.
    ///
    /// - Parameter read: reads it; it is valid while the closure runs.
    /// - Returns: nil if none has arrived.
    func received<Value>(read: (OpaquePointer) throws(BusError) -> Value) throws(BusError) -> Value? {
        while true {
            var received: OpaquePointer?
            let result = sd_bus_process(bus, &received)
            try Self.check(result, "the session bus connection was lost")
            if let message = received {
                defer { sd_bus_message_unref(message) }
                return try read(message)
            }
            // The queue may contain more.
            if result == 0 { return nil }
        }
    }

    /// Returns when something may have arrived, or when the descriptor is readable. There is no timeout: nothing else wakes it.
    func wait(orFor descriptor: Int32) throws(BusError) {
        let (socket, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        try Self.check(socket, "the session bus connection was lost")
        try Self.check(events, "the session bus connection was lost")
        var entries = [
            pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        // If interrupted, it is checked again anyway.
        _ = poll(&entries, 2, -1)
    }

    /// All elements of `as`.
    static func strings(_ message: OpaquePointer) throws(BusError) -> [String] {
        var strings: [String] = []
        try check(sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), "s"), "the answer cannot be read")
        var text: UnsafePointer<CChar>?
        while true {
            let result = postern_bus_read_string(message, &text)
            try check(result, "the answer cannot be read")
            guard result > 0, let text else { return strings }
            strings.append(String(cString: text))
        }
    }

    private static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }

    static func check(_ result: Int32, _ what: String) throws(BusError) {
        if result < 0 { throw error(result, what) }
    }

    private static func error(_ result: Int32, _ what: String) -> BusError {
        BusError(name: nil, reason: "\(what): \(String(cString: strerror(-result)))")
    }
}

/// Appends one value after another until one fails.
func firstError(_ steps: () -> Int32...) -> Int32 {
    for step in steps {
        let result = step()
        if result < 0 { return result }
    }
    return 0
}
