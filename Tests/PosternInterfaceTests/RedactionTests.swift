import PosternInterface
import StrictJSON
import Testing

@Suite("What is printed of the interface's values")
struct RedactionTests {
    static let secret = "s3cr3t-value"

    static let values: [any Sendable] = [
        Credential(
            handle: secret, providerID: "p", signInMethod: "p", accessToken: secret, scopes: [], secret: secret, idToken: secret,
            rawNonce: secret),
        CredentialInput(handle: secret, accessToken: secret, secret: secret, idToken: secret, rawNonce: secret, password: secret),
        GetAccessTokenReply(accessToken: secret, tokenType: "Bearer", secret: secret, scopes: [], uid: "u"),
        GetUserTokenReply(idToken: secret, expiresAt: "2026-11-21T06:24:00Z"),
        CreateUserParameters(email: "a@example.com", password: secret),
        UpdateUserParameters(password: secret),
        UnlockParameters(passphrase: secret),
        EnrollSecondFactorReply(enrollmentID: secret, secret: secret, provisioningURI: secret),
        ConfirmSecondFactorParameters(enrollmentID: secret, verificationCode: secret, app: "app"),
        StartSecondFactorParameters(resolver: secret, uid: "u"),
        ResolveSecondFactorParameters(resolver: secret, uid: "u", verificationCode: secret),
        InterfaceError.credentialAlreadyInUse(
            message: "m", credential: Credential(providerID: "p", signInMethod: "p", accessToken: secret, scopes: [])),
    ]

    @Test("no way of printing shows a secret", arguments: values.indices)
    func printed(index: Int) {
        let value = Self.values[index]
        var dumped = ""
        dump(value, to: &dumped)
        var nested = ""
        dump([value], to: &nested)
        for text in ["\(value)", String(reflecting: value), "\([value])", "\(Optional.some(value) as Any)", dumped, nested] {
            #expect(!text.contains(Self.secret))
        }
    }

    @Test("what is sent is the whole value")
    func sent() {
        #expect(UnlockParameters(passphrase: Self.secret).object["passphrase"] == .string(Self.secret))
    }
}
