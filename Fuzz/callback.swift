import PosternCore

/// Queries and forms of callbacks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    guard let parameters = try? CallbackParameters(parsing: bytes) else { return 0 }
    _ = (parameters.state, parameters.code, parameters.error, parameters.errorDescription, parameters.iss)
    guard !"\(parameters)".isEmpty else { fatalError("a description is never empty") }
    return 0
}
