import CSystemd
import Glibc

/// Why a call over D-Bus brought nothing.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's name where a service answered with one: `org.freedesktop.Secret.Error.IsLocked`.
    public var name: String?
    public var reason: String

    public var description: String { name.map { "\(reason) (\($0))" } ?? reason }
}

/// A connection to the user's message bus, for one thread. Every call ends in time.
final class Bus {
    /// Services that are there answer in milliseconds; one that thinks longer is as good as none.
    static let timeoutMicroseconds: UInt64 = 3_000_000

    private let bus: OpaquePointer

    init() throws(BusError) {
        var opened: OpaquePointer?
        let result = sd_bus_open_user(&opened)
        guard result >= 0, let opened else { throw Self.error(result, "the session bus cannot be reached") }
        bus = opened
        sd_bus_set_method_call_timeout(bus, Self.timeoutMicroseconds)
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// One method call.
    ///
    /// - Parameters:
    ///   - fill: appends the arguments; gives back the first error.
    ///   - read: reads the reply, which is good as long as the closure runs.
    func call<Value>(
        _ destination: String, _ path: String, _ interface: String, _ member: String, fill: (OpaquePointer) -> Int32 = { _ in 0 },
        read: (OpaquePointer) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        var created: OpaquePointer?
        var result = sd_bus_message_new_method_call(bus, &created, destination, path, interface, member)
        guard result >= 0, let message = created else { throw Self.error(result, "no call can be made") }
        defer { sd_bus_message_unref(message) }
        // A keyring or a portal that is not running yet is started by the bus.
        sd_bus_message_set_auto_start(message, 1)
        result = fill(message)
        guard result >= 0 else { throw Self.error(result, "the call \(member) cannot be written") }
        var failure = sd_bus_error()
        defer { sd_bus_error_free(&failure) }
        var received: OpaquePointer?
        result = sd_bus_call(bus, message, Self.timeoutMicroseconds, &failure, &received)
        guard result >= 0, let reply = received else {
            let reason = failure.message.map { String(cString: $0) } ?? String(cString: strerror(-result))
            throw BusError(name: failure.name.map { String(cString: $0) }, reason: "\(member): \(reason)")
        }
        defer { sd_bus_message_unref(reply) }
        return try read(reply)
    }

    static func check(_ result: Int32, _ what: String) throws(BusError) {
        if result < 0 { throw error(result, what) }
    }

    private static func error(_ result: Int32, _ what: String) -> BusError {
        BusError(name: nil, reason: "\(what): \(String(cString: strerror(-result)))")
    }
}

/// Appends one value after the other until one fails.
func firstError(_ steps: () -> Int32...) -> Int32 {
    for step in steps {
        let result = step()
        if result < 0 { return result }
    }
    return 0
}
