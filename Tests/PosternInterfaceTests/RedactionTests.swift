import PosternInterface
import StrictJSON
import Testing

@Suite("What is printed of the interface's values")
struct RedactionTests {
    static let secret = "s3cr3t-value"

    static let values: [any Sendable] = [
        Interface.Credential(
            handle: secret, providerID: "p", signInMethod: "p", accessToken: secret, scopes: [], secret: secret, idToken: secret,
            rawNonce: secret),
        Interface.CredentialInput(handle: secret, accessToken: secret, secret: secret, idToken: secret, rawNonce: secret, password: secret),
        Interface.GetAccessToken.Reply(accessToken: secret, tokenType: "Bearer", secret: secret, scopes: [], uid: "u"),
        Interface.GetUserToken.Reply(idToken: secret, expiresAt: "2026-11-21T06:24:00Z"),
        Interface.CreateUser(email: "a@example.com", password: secret),
        Interface.UpdateUser(password: secret),
        Interface.Unlock(passphrase: secret),
        Interface.EnrollSecondFactor.Reply(enrollmentID: secret, secret: secret, provisioningURI: secret),
        Interface.ConfirmSecondFactor(enrollmentID: secret, verificationCode: secret, app: "app"),
        Interface.StartSecondFactor(resolver: secret, uid: "u"),
        Interface.ResolveSecondFactor(resolver: secret, uid: "u", verificationCode: secret),
        InterfaceError.credentialAlreadyInUse(
            message: "m", credential: Interface.Credential(providerID: "p", signInMethod: "p", accessToken: secret, scopes: [])),
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
        #expect(Interface.Unlock(passphrase: Self.secret).object["passphrase"] == .string(Self.secret))
    }
}
