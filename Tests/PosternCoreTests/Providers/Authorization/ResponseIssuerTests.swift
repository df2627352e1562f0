@testable import PosternCore
import Testing

@Suite struct ResponseIssuerTests {
    @Test(
        "iss in a callback is compared where it is there, and missed where it was announced (RFC 9207 section 2.4)",
        arguments: [
            ("https://op.example", false, nil, .accepted),
            ("https://op.example", false, "https://op.example", .accepted),
            ("https://op.example", true, "https://op.example", .accepted),
            ("https://op.example", true, nil, .missing),
            ("https://op.example", false, "https://op.example/", .mismatch),
            ("https://op.example", false, "https://OP.example", .mismatch),
            ("https://op.example", false, "https://evil.test", .mismatch),
            ("https://op.example", true, "", .mismatch),
            (nil, false, nil, .accepted),
            (nil, false, "https://anybody.test", .accepted),
            (nil, true, nil, .accepted),
        ] as [(String?, Bool, String?, ResponseIssuer.Verdict)])
    func verdict(expected: String?, isRequired: Bool, iss: String?, verdict: ResponseIssuer.Verdict) {
        #expect(ResponseIssuer(expected: expected, isRequired: isRequired).verdict(on: iss) == verdict)
        #expect((verdict.reason == nil) == (verdict == .accepted))
    }

    @Test("The reason does not repeat what a callback said")
    func reasons() {
        for verdict in [ResponseIssuer.Verdict.missing, .mismatch] { #expect(verdict.reason?.contains("evil") == false) }
    }
}
