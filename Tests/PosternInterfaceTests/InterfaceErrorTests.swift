import PosternInterface
import StrictJSON
import Testing

@Suite("The errors of the interface")
struct InterfaceErrorTests {
    @Test("an error is written as it was read, with a number of its own", arguments: InterfaceError.Kind.allCases, [true, false])
    func roundTrip(kind: InterfaceError.Kind, isFull: Bool) throws {
        let description = try SwiftTypesTests.description.get()
        let fields = try #require(description.errors[kind.rawValue])
        var sample = description.sample(of: fields, isFull: isFull)
        let error = try #require(try InterfaceError(name: "io.postern.\(kind.rawValue)", parameters: sample))
        #expect(error.kind == kind)
        #expect(error.name == "io.postern.\(kind.rawValue)")
        #expect(error.message == sample["message"]?.stringValue)
        // The number follows from the error, whatever a reply says.
        sample["code"] = .integer(Int64(error.code))
        #expect(error.parameters == sample)
        #expect(error.parameters.keys.starts(with: ["code", "message"]))
    }

    @Test("a missing member is named", arguments: InterfaceError.Kind.allCases)
    func missing(kind: InterfaceError.Kind) throws {
        let error = #expect(throws: JSONMemberError.self) { try InterfaceError(name: kind.name, parameters: JSONObject()) }
        #expect(error?.path == "message")
    }

    @Test(
        "a name of another interface is none of these",
        arguments: ["org.varlink.service.InvalidParameter", "io.postern.Bogus", "SessionNotFound", ""])
    func otherName(name: String) throws {
        #expect(try InterfaceError(name: name, parameters: ["message": "x"]) == nil)
    }

    @Test("an error can stand under every number of Firebase's, and comes back so")
    func numbered() throws {
        for code in 17_000...18_000 {
            let error = InterfaceError.invalidCredential(message: "m").numbered(code)
            #expect(error.code == code && error.kind == .invalidCredential && error.message == "m")
            #expect(error.parameters == ["code": .integer(Int64(code)), "message": "m"])
            #expect(try InterfaceError(name: error.name, parameters: error.parameters)?.code == code)
            #expect(error.numbered(17_004).parameters == InterfaceError.invalidCredential(message: "m").parameters)
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
        #expect(error.parameters["code"] == .integer(Int64(code)))
    }
}
