import Testing

@testable import TestHTTPClient

/// What holds for every answer, whatever was asked.
///
/// - Parameter cacheControl: of a document that is about nobody, and may be kept for a while.
func expectSecurityHeaders(
    _ response: RawResponse, cacheControl: String = "no-store", sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = [
        "Cache-Control": cacheControl, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
    ]
    for (name, value) in expected { #expect(response.header(name) == value, "\(name)", sourceLocation: sourceLocation) }
    let policy = response.header("Content-Security-Policy")?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
    for directive in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
        #expect(policy.contains { $0 == directive }, "\(directive)", sourceLocation: sourceLocation)
    }
    #expect(!policy.contains { $0.contains("unsafe") || $0.contains("*") }, sourceLocation: sourceLocation)
    let names = response.headers.map { $0.name.lowercased() }
    #expect(Set(names).count == names.count, "a header comes twice: \(names)", sourceLocation: sourceLocation)
    for name in names {
        #expect(!name.hasPrefix("access-control-") && name != "set-cookie" && name != "server", sourceLocation: sourceLocation)
    }
}
