/// An entry as the journal takes it: the fields in systemd's "native journal protocol".
struct JournalDatagram {
    private(set) var bytes: [UInt8] = []

    init(_ entry: LogEntry, program: String) {
        add("MESSAGE", entry.message)
        add("PRIORITY", "\(entry.priority)")
        add("SYSLOG_IDENTIFIER", program)
        if let id = entry.messageID { add("MESSAGE_ID", id) }
        for field in entry.fields { add(field.name, field.value) }
    }

    /// A value with a line feed in it has its length before it, in 64 bits, least significant byte first.
    private mutating func add(_ name: String, _ value: String) {
        bytes += name.utf8
        if value.utf8.contains(0x0A) {
            bytes.append(0x0A)
            bytes += withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian, Array.init)
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value.utf8
        bytes.append(0x0A)
    }
}
