import StrictJSON

extension Fuzz {
    /// What parses, written and parsed again, is the same value; nothing traps.
    static func json(_ bytes: [UInt8]) {
        guard let value = try? JSON(parsing: bytes) else { return }
        let written = value.serialized
        guard let again = try? JSON(parsing: written), again == value else { fatalError("not the same after a round trip") }
        guard !written.contains(where: { $0 < 0x20 }) else { fatalError("a bare control character was written") }
    }
}
