/// The messages between the daemon and the helper that calls the portal for notifications: records of texts, each followed by a NUL.
enum PortalRecord: Equatable {
    // To the helper, which answers each with one of `shown`, `refused` and `withdrawn`, in the same order.
    case show(DesktopNotifications.Notification)
    case withdraw(key: String)
    case withdrawAll

    // From the helper.
    case shown
    case refused(reason: String)
    case withdrawn
    case pressed(key: String)
    /// The last one: nothing can be shown any more.
    case gone(reason: String)

    var bytes: [UInt8] { texts.flatMap { $0.utf8.filter { $0 != 0 } + [0] } }

    private var texts: [String] {
        switch self {
        // A button always has a label.
        case .show(let notification): ["show", notification.key, notification.summary, notification.body, notification.button ?? ""]
        case .withdraw(let key): ["withdraw", key]
        case .withdrawAll: ["withdraw-all"]
        case .shown: ["shown"]
        case .refused(let reason): ["refused", reason]
        case .withdrawn: ["withdrawn"]
        case .pressed(let key): ["pressed", key]
        case .gone(let reason): ["gone", reason]
        }
    }

    /// How many texts follow the first.
    private static let lengths = [
        "show": 4, "withdraw": 1, "withdraw-all": 0, "shown": 0, "refused": 1, "withdrawn": 0, "pressed": 1, "gone": 1,
    ]

    private init?(_ verb: String, _ texts: [String]) {
        switch verb {
        case "show":
            self = .show(.init(key: texts[0], summary: texts[1], body: texts[2], button: texts[3].isEmpty ? nil : texts[3]))
        case "withdraw": self = .withdraw(key: texts[0])
        case "withdraw-all": self = .withdrawAll
        case "shown": self = .shown
        case "refused": self = .refused(reason: texts[0])
        case "withdrawn": self = .withdrawn
        case "pressed": self = .pressed(key: texts[0])
        case "gone": self = .gone(reason: texts[0])
        default: return nil
        }
    }

    /// Splits what has arrived, in any pieces, into records.
    struct Reader {
        /// In bytes: no record is nearly as long.
        private static let limit = 65_536
        private var bytes: [UInt8] = []

        mutating func append(_ chunk: some Sequence<UInt8>) { bytes += chunk }

        /// - Returns: nil if the rest has yet to arrive.
        /// - Throws: if it is not a record.
        mutating func next() throws(BusError) -> PortalRecord? {
            var texts: [String] = []
            var start = 0
            var wanted = 1
            while texts.count < wanted {
                guard let end = bytes[start...].firstIndex(of: 0) else {
                    guard bytes.count <= Self.limit else { throw Self.error }
                    return nil
                }
                texts.append(String(decoding: bytes[start..<end], as: UTF8.self))
                if texts.count == 1 {
                    guard let length = PortalRecord.lengths[texts[0]] else { throw Self.error }
                    wanted += length
                }
                start = end + 1
            }
            bytes.removeFirst(start)
            guard let record = PortalRecord(texts[0], Array(texts.dropFirst())) else { throw Self.error }
            return record
        }

        private static let error = BusError(name: nil, reason: "its message is not understood")
    }
}
