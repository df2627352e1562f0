import CSystemd
import Glibc

/// Learns from the service manager how the program of a unit ended.
///
/// A unit that is collected at its end can no longer be queried, so this subscribes to its signals.
struct UnitWatch {
    /// How a program ended.
    enum Status: Equatable, CustomStringConvertible {
        case exited(Int32)
        case killed(Int32)

        var description: String {
            switch self {
            case .exited(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

    private static let manager = "org.freedesktop.systemd1"

    private let bus: Bus
    private let path: String

    /// To be created before the unit.
    init(of unit: String, on bus: Bus) throws(BusError) {
        self.bus = bus
        path = Self.path(of: unit)
        try bus.subscribe(
            to: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: Self.manager, about: "\(Self.manager).Service")
        // Without this the manager sends no signals about its units.
        try bus.call(Self.manager, "/org/freedesktop/systemd1", "\(Self.manager).Manager", "Subscribe")
    }

    /// - Parameter milliseconds: how long to wait for the end.
    /// - Returns: nil if the program still runs.
    func status(within milliseconds: UInt64) throws(BusError) -> Status? {
        let end = MonotonicClock.microseconds + milliseconds * 1000
        while let heard = try bus.signal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path, until: end, read: Self.status(in:))
        {
            if let status = heard { return status }
        }
        return nil
    }

    /// - Returns: nil for a message that does not report an end.
    private static func status(in message: BusReader) throws(BusError) -> Status? {
        var (code, status): (Int32, Int32) = (0, 0)
        try message.skip("s")
        try message.enter(.array, "{sv}")
        while try message.enter(.entry, "sv") {
            switch try message.string() {
            case "ExecMainCode": code = try number(message)
            case "ExecMainStatus": status = try number(message)
            default: try message.skip("v")
            }
            try message.exit()
        }
        // `CLD_EXITED` and the like (waitid(2)); 0 while the program runs.
        switch code {
        case 0: return nil
        case 1: return .exited(status)
        default: return .killed(status)
        }
    }

    private static func number(_ message: BusReader) throws(BusError) -> Int32 {
        var number: Int32 = 0
        try message.enter(.variant, "i")
        try message.check(sd_bus_message_read_basic(message.message, CChar(UInt8(ascii: "i")), &number))
        try message.exit()
        return number
    }

    /// Encoded like sd_bus_path_encode(3).
    static func path(of unit: String) -> String {
        "/org/freedesktop/systemd1/unit/"
            + unit.utf8.enumerated().map { index, byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return String(UnicodeScalar(byte))
                case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: return String(UnicodeScalar(byte))
                default: return "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
            }.joined()
    }
}
