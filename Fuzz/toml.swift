import TOML

/// Configuration files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? TOMLTable(parsing: Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}
