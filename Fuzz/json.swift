import StrictJSON

/// What parses, written and parsed again, is the same value; nothing traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let value = try? JSON(parsing: bytes) else { return 0 }
    let written = value.serialized
    guard let again = try? JSON(parsing: written), again == value else { fatalError("not the same after a round trip") }
    guard !written.contains(where: { $0 < 0x20 }) else { fatalError("a bare control character was written") }
    return 0
}
