import PosternCore

/// Redirects that were pasted or came through a custom scheme.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    if let redirect = try? DeliveredRedirect(parsing: text) {
        guard !redirect.redirectURI.contains("?"), !redirect.redirectURI.contains("#") else { fatalError("the answer is part of the URI") }
    }
    _ = try? EndpointURL(text)
    return 0
}
