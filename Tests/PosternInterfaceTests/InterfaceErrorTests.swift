import PosternInterface
import StrictJSON
import Testing

@Suite("The errors of the interface")
struct InterfaceErrorTests {
    static let names = ((try? SwiftTypesTests.description.get().errors.keys.sorted()) ?? []).map { "io.postern.\($0)" }

    @Test("an error is written as it was read, with its own number", arguments: names, [true, false])
    func roundTrip(name: String, isFull: Bool) throws {
        let description = try SwiftTypesTests.description.get()
        let fields = try #require(description.errors[String(name.dropFirst("io.postern.".count))])
        var sample = description.sample(of: fields, isFull: isFull)
        let error = try #require(try InterfaceError(name: name, parameters: sample))
        #expect(error.name == name)
        #expect(error.message == sample["message"]?.stringValue)
        // The number follows from the error, whatever a reply says.
        sample["code"] = .integer(Int64(error.code))
        #expect(error.object == sample)
        #expect(error.object.keys.starts(with: ["code", "message"]))
    }

    @Test("a missing member is named", arguments: names)
    func missing(name: String) throws {
        let error = #expect(throws: JSONMemberError.self) { try InterfaceError(name: name, parameters: JSONObject()) }
        #expect(error?.path == "message")
    }

    @Test(
        "a name of another interface is none of these",
        arguments: ["org.varlink.service.InvalidParameter", "io.postern.Bogus", "io.posternXSessionNotFound", "SessionNotFound", ""])
    func otherName(name: String) throws {
        #expect(try InterfaceError(name: name, parameters: ["message": "x"]) == nil)
    }

    @Test("an error can stand under every number of Firebase's, and comes back so")
    func numbered() throws {
        for code in 17_000...18_000 {
            let error = InterfaceError.invalidCredential(message: "m").numbered(code)
            #expect(error.code == code && error.name == "io.postern.InvalidCredential" && error.message == "m")
            #expect(error.object == ["code": .integer(Int64(code)), "message": "m"])
            #expect(try InterfaceError(name: error.name, parameters: error.object)?.code == code)
            #expect(error.numbered(17_004).object == InterfaceError.invalidCredential(message: "m").object)
        }
    }

    @Test(
        "the numbers are Firebase's",
        arguments: [
            (InterfaceError.invalidCredential(message: "m"), 17004),
            (.signInCancelled(message: "m", sessionID: "s"), 17058),
            (.signInDenied(message: "m", providerID: "p", error: "access_denied"), 17058),
            (.signInDenied(message: "m", providerID: "p", error: "server_error"), 17062),
            (.signInDenied(message: "m", providerID: "p", error: "unauthorized_client"), 17060),
            (.signInDenied(message: "m", providerID: "p", error: "anything"), 17063),
            (.invalidIDToken(message: "m", providerID: "p", reason: "the ID token does not repeat the nonce of this sign-in"), 17094),
            (.invalidIDToken(message: "m", providerID: "p", reason: "exp"), 17004),
            (.providerUnreachable(message: "m", providerID: "p"), 17020),
            (.userMismatch(message: "m"), 17024),
            (.sessionNotFound(message: "m"), 0),
            (.internalError(message: "m"), 17999),
        ])
    func code(error: InterfaceError, code: Int) {
        #expect(error.code == code)
        #expect(error.object["code"] == .integer(Int64(code)))
    }

    @Test("the errors that every service has are written without a number")
    func standard() {
        #expect(InterfaceError.invalidParameter("credential.handle").name == "org.varlink.service.InvalidParameter")
        #expect(InterfaceError.invalidParameter("credential.handle").object == ["parameter": "credential.handle"])
        #expect(InterfaceError.expectedMore.name == "org.varlink.service.ExpectedMore")
        #expect(InterfaceError.expectedMore.object == [:])
    }
}
