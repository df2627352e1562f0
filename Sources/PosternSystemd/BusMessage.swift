import CSystemd
import Glibc

/// A message that is being written. After the first error nothing more is appended.
final class BusWriter {
    /// As in sd_bus_message_open_container(3).
    enum Container: UInt8 {
        case array = 0x61
        case structure = 0x72
        case entry = 0x65
        case variant = 0x76
    }

    private let message: OpaquePointer
    /// The first error, as a negative errno.
    private(set) var result: Int32 = 0

    init(_ message: OpaquePointer) { self.message = message }

    func append(_ step: (OpaquePointer) -> Int32) { if result >= 0 { result = step(message) } }

    func strings(_ texts: String...) { for text in texts { append { postern_bus_append_string($0, text) } } }

    func number(_ number: UInt32) { append { postern_bus_append_number($0, number) } }

    /// - Parameter fill: appends what is in it.
    func container(_ kind: Container, _ contents: String, _ fill: () -> Void = {}) {
        append { sd_bus_message_open_container($0, CChar(kind.rawValue), contents) }
        fill()
        append { sd_bus_message_close_container($0) }
    }

    /// A name and a text, as an entry or a structure `sv`.
    func property(_ name: String, _ value: String, as kind: Container = .entry) {
        container(kind, "sv") { append { postern_bus_append_string_variant($0, name, value) } }
    }

    /// A name and a value of another type.
    func property(_ name: String, _ type: String, as kind: Container = .entry, _ fill: () -> Void) {
        container(kind, "sv") {
            strings(name)
            container(.variant, type, fill)
        }
    }
}

/// A message that has arrived, read from its beginning to its end. Valid while the closure runs that gets it.
struct BusReader {
    let message: OpaquePointer
    /// What is said if it is not as it should be.
    let fault: String

    func check(_ result: Int32) throws(BusError) { try Bus.check(result, fault) }

    func string() throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        try check(postern_bus_read_string(message, &text))
        return text.map { String(cString: $0) } ?? ""
    }

    func number() throws(BusError) -> UInt32 {
        var number: UInt32 = 0
        try check(postern_bus_read_number(message, &number))
        return number
    }

    /// The path of an object.
    func object() throws(BusError) -> String {
        var path: UnsafePointer<CChar>?
        try check(postern_bus_read_object(message, &path))
        guard let path else { throw BusError(name: nil, reason: "\(fault): it names no object") }
        return String(cString: path)
    }

    /// - Returns: false if there is no further one in an array.
    @discardableResult
    func enter(_ kind: BusWriter.Container, _ contents: String) throws(BusError) -> Bool {
        let result = sd_bus_message_enter_container(message, CChar(kind.rawValue), contents)
        try check(result)
        return result > 0
    }

    func exit() throws(BusError) { try check(sd_bus_message_exit_container(message)) }

    func skip(_ types: String) throws(BusError) { try check(sd_bus_message_skip(message, types)) }

    /// All elements of an array of texts, or of paths.
    func array(of type: String) throws(BusError) -> [String] {
        try enter(.array, type)
        var elements: [String] = []
        while sd_bus_message_at_end(message, 0) == 0 { elements.append(type == "o" ? try object() : try string()) }
        try exit()
        return elements
    }

    /// Whether it is that signal from that connection; everybody can send signals.
    func isSignal(_ interface: String, _ member: String, from sender: String) -> Bool {
        sd_bus_message_is_signal(message, interface, member) > 0
            && sd_bus_message_get_sender(message).map { String(cString: $0) } == sender
    }

    /// - Returns: the connection that has the name from now on, empty for none; nil if the message is not about that name.
    func newOwner(of name: String) throws(BusError) -> String? {
        guard isSignal("org.freedesktop.DBus", "NameOwnerChanged", from: "org.freedesktop.DBus") else { return nil }
        let (changed, _, new) = (try string(), try string(), try string())
        return changed == name ? new : nil
    }
}

/// The clock of time limits.
enum MonotonicClock {
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static var microseconds: UInt64 { nanoseconds / 1000 }
}
