import PosternInterface
import StrictJSON
import Testing

@Suite("What is printed of the interface's values")
struct RedactionTests {
    static let secret = "s3cr3t-value"

    /// A member of one of these names is never to be shown, in whatever type it stands.
    static let telling: Set = [
        "accessToken", "refreshToken", "idToken", "secret", "handle", "rawNonce", "password", "passphrase", "verificationCode", "resolver",
        "enrollmentID", "provisioningURI",
    ]

    @Test("what sounds like a secret is called one in the description")
    func marked() throws {
        let description = try SwiftTypesTests.description.get()
        var definitions = description.errors
        for (name, method) in description.methods { definitions[name] = method.parameters + method.reply }
        for (name, type) in description.types {
            if case .structure(let fields) = type { definitions[name] = fields }
        }
        for (name, fields) in definitions {
            let open = fields.map(\.name).filter { Self.telling.contains($0) && !(description.secrets[name] ?? []).contains($0) }
            #expect(open.isEmpty, "\(name)")
        }
    }

    @Test("no way of printing shows what the description calls secret", arguments: SwiftTypesTests.names)
    func printed(name: String) throws {
        let subject = try #require(try SwiftTypesTests.subjects()[name])
        let description = try SwiftTypesTests.description.get()
        let secrets = description.secrets[String(name.prefix { $0 != " " })] ?? []
        var sample = description.sample(of: subject.fields, isFull: true)
        for field in subject.fields where secrets.contains(field.name) {
            let isMap = if case .object? = sample[field.name] { true } else { false }
            sample[field.name] = isMap ? ["name": .string(Self.secret)] : .string(Self.secret)
        }
        let value = try subject.type.init(json: .object(sample))
        expectHidden(value)
        // What is sent is the whole value.
        #expect(value.json.text.contains(Self.secret) == subject.fields.contains { secrets.contains($0.name) })
    }

    @Test("nor in an error")
    func errors() {
        let secret = Secret(Self.secret)
        let credential = Interface.Credential(providerID: "p", signInMethod: "p", accessToken: secret, scopes: [])
        expectHidden(InterfaceError.credentialAlreadyInUse(message: "m", credential: credential))
        expectHidden(InterfaceError.secondFactorRequired(message: "m", resolver: secret, hints: []))
    }

    private func expectHidden(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        var nested = ""
        dump([value], to: &nested)
        for text in ["\(value)", String(reflecting: value), "\([value])", "\(Optional.some(value) as Any)", dumped, nested] {
            #expect(!text.contains(Self.secret))
        }
    }
}
