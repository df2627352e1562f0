import PosternInterface
import Testing

@Suite("What printing a value does not print")
struct RedactionTests {
    private static let guarded: [any Sendable] = [
        EnrollSecondFactorReply(enrollmentID: "hunter2", secret: "hunter2", provisioningURI: "otpauth://totp/x?secret=hunter2"),
        ConfirmSecondFactorParameters(enrollmentID: "hunter2", verificationCode: "hunter2", app: "app"),
        StartSecondFactorParameters(resolver: "hunter2", uid: "uid"),
        ResolveSecondFactorParameters(resolver: "hunter2", uid: "uid", verificationCode: "hunter2"),
    ]

    @Test("Codes, and what stands for a first factor, are not printed", arguments: guarded.indices)
    func secondFactors(index: Int) {
        var dumped = ""
        dump(Self.guarded[index], to: &dumped)
        for text in ["\(Self.guarded[index])", String(reflecting: Self.guarded[index]), dumped] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }
}
