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
        let steps: [() -> Int32] = [
            { sd_bus_set_fd(relayed, socket, socket) }, { sd_bus_set_bus_client(relayed, 1) }, { sd_bus_negotiate_fds(relayed, 0) },
            { sd_bus_start(relayed) }, { greet(relayed) },
        ]
        result = steps.lazy.map { $0() }.first { $0 < 0 } ?? 0
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
    ///   - fill: appends the arguments.
    ///   - read: reads the reply.
    func call<Value>(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        within microseconds: UInt64 = timeoutMicroseconds, fill: (BusWriter) -> Void = { _ in },
        read: (BusReader) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        var created: OpaquePointer?
        var result = sd_bus_message_new_method_call(bus, &created, destination, path, interface, member)
        guard result >= 0, let message = created else { throw Self.error(result, "no call can be made") }
        defer { sd_bus_message_unref(message) }
        // The bus starts a keyring or a portal that is not running yet.
        sd_bus_message_set_auto_start(message, 1)
        let writer = BusWriter(message)
        fill(writer)
        try Self.check(writer.result, "the call \(member) cannot be written")
        var failure = sd_bus_error()
        defer { sd_bus_error_free(&failure) }
        var received: OpaquePointer?
        result = sd_bus_call(bus, message, microseconds, &failure, &received)
        guard result >= 0, let reply = received else {
            let reason = failure.message.map { String(cString: $0) } ?? String(cString: strerror(-result))
            throw BusError(name: failure.name.map { String(cString: $0) }, reason: "\(member): \(reason)")
        }
        defer { sd_bus_message_unref(reply) }
        return try read(BusReader(message: reply, fault: "the answer to \(member) cannot be read"))
    }

    /// Makes one method call whose reply says nothing.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, fill: (BusWriter) -> Void = { _ in }
    ) throws(BusError) {
        try call(destination, path, interface, member, fill: fill) { _ throws(BusError) in }
    }

    /// Subscribes to a signal of that service; to be called before the call that the signal follows.
    ///
    /// - Parameter subject: the signal's first argument, if only some are wanted.
    func subscribe(to member: String, of interface: String, from sender: String, about subject: String? = nil) throws(BusError) {
        try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch") { message in
            let first = subject.map { ",arg0='\($0)'" } ?? ""
            message.strings("type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'\(first)")
        }
    }

    /// The next signal of that object, after subscribing to it.
    ///
    /// - Parameter end: how long to wait, by ``MonotonicClock``.
    /// - Returns: nil if it did not arrive in time.
    func signal<Value>(
        _ member: String, of interface: String, at path: String, until end: UInt64, read: (BusReader) throws(BusError) -> Value
    ) throws(BusError) -> Value? {
        while case let now = MonotonicClock.microseconds, now < end {
            let next = try received { message throws(BusError) -> Value? in
                guard sd_bus_message_is_signal(message.message, interface, member) > 0,
                    let from = sd_bus_message_get_path(message.message), String(cString: from) == path
                else { return nil }
                return try read(message)
            }
            switch next {
            case let signal??: return signal
            case .some(nil): continue
            case nil: break
            }
            let waited = sd_bus_wait(bus, end - now)
            if waited != -EINTR { try Self.check(waited, "the session bus connection was lost") }
        }
        return nil
    }

    /// The connection that has this name now.
    func owner(of name: String) throws(BusError) -> String {
        try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner") { message in
            message.strings(name)
        } read: { reply throws(BusError) in
            try reply.string()
        }
    }

    /// Subscribes to changes of the name's owner, including that it has none.
    func subscribe(toOwnerOf name: String) throws(BusError) {
        try subscribe(to: "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", about: name)
    }

    /// The next message that is not a reply.
    ///
    /// - Returns: nil if none has arrived.
    func received<Value>(read: (BusReader) throws(BusError) -> Value) throws(BusError) -> Value? {
        while true {
            var received: OpaquePointer?
            let result = sd_bus_process(bus, &received)
            try Self.check(result, "the session bus connection was lost")
            if let message = received {
                defer { sd_bus_message_unref(message) }
                return try read(BusReader(message: message, fault: "a signal cannot be read"))
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

    static func check(_ result: Int32, _ what: String) throws(BusError) {
        if result < 0 { throw error(result, what) }
    }

    private static func error(_ result: Int32, _ what: String) -> BusError {
        BusError(name: nil, reason: "\(what): \(String(cString: strerror(-result)))")
    }
}
