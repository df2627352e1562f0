import Foundation
import Testing

@testable import postern_interface_generator

@Suite("The generator")
struct GeneratorTests {
    private func files(_ members: String) throws -> [String: String] {
        let files = try Generator.files(from: "interface org.example.a\n\n" + (members.contains("method ") ? "# ---- Example: methods ----\n\n" : "") + members)
        return Dictionary(uniqueKeysWithValues: files.map { (String($0.path.split(separator: "/").last ?? ""), $0.text) })
    }

    @Test("a member that the comment calls secret is one, wherever it stands")
    func secrets() throws {
        let methods = try #require(
            try files(
                """
                # Trades one for the other.
                # Secret: given,
                # taken, list.
                method Trade(given: string, open: string) -> (taken: ?string, list: []string)
                """)["Interface+Methods.swift"])
        #expect(methods.contains("public var given: Secret\n"))
        #expect(methods.contains("public var open: String\n"))
        #expect(methods.contains("public var taken: Secret?\n"))
        #expect(methods.contains("public var list: [Secret]\n"))
        #expect(methods.contains("/// Trades one for the other.\n"))
        #expect(!methods.contains("Secret:"))
    }

    @Test("how often a method replies follows from its comment")
    func replies() throws {
        let protocols = try #require(
            try files(
                """
                method Once() -> ()

                # With `more`: many.
                method Many() -> ()

                # With `more` only: without end.
                method Endless() -> ()
                """)["InterfaceMethods.swift"])
        #expect(protocols.contains("func once(_ call: Interface.Once) async throws(InterfaceError) -> Interface.Once.Reply\n"))
        #expect(
            protocols.contains(
                "func many(_ call: Interface.Many, reply: any InterfaceReply) async throws(InterfaceError) -> Interface.Many.Reply?\n"))
        #expect(protocols.contains("reply: any InterfaceReply) async throws(InterfaceError) -> Interface.Endless.Reply?\n"))
    }

    @Test("each section has a protocol, and a method what its comment says that it needs")
    func sections() throws {
        let files = try files(
            """
            # Needs: store, client.
            method First() -> ()

            # ---- Other: more methods ----

            method Second() -> ()

            # ---- Example: the rest ----

            # Needs: opening.
            method Third() -> ()
            """)
        let protocols = try #require(files["InterfaceMethods.swift"])
        let own = try #require(protocols.split(separator: "protocol ").first { $0.hasPrefix("ExampleMethods:") })
        #expect(own.contains("func first(") && own.contains("func third(") && !own.contains("func second("))
        let dispatch = try #require(files["InterfaceService+Methods.swift"])
        #expect(dispatch.contains("case .second: try await otherMethods.second(prepared(parameters))\n"))
        let methods = try #require(files["Interface+Methods.swift"])
        #expect(methods.contains("case .first: [.store, .client]\n") && methods.contains("case .third: [.opening]\n"))
        #expect(!methods.contains("Needs: "))
    }

    @Test("a method that needs what nobody knows, or stands below no heading, is refused", arguments: ["# Needs: luck.\nmethod A() -> ()"])
    func unknownNeed(members: String) {
        #expect(throws: GeneratorError.self) { try files(members) }
        #expect(throws: GeneratorError.self) { try Generator.files(from: "interface org.example.a\n\nmethod A() -> ()\n") }
    }

    @Test("an error's number is the one in its comment")
    func codes() throws {
        let errors = try #require(
            try files(
                """
                # Code: 17071 (invalidProviderID).
                error First (code: int, message: string)
                error IDTokenRefused (code: int, message: string, reason: ?string)
                """)["InterfaceError.swift"])
        #expect(errors.contains("case .first(let message): (\"First\", 17071, message, [])\n"))
        #expect(errors.contains("case idTokenRefused(message: String, reason: String? = nil)\n"))
        #expect(errors.contains("(\"IDTokenRefused\", 0, message, [JSONMember(\"reason\", reason)])\n"))
        #expect(errors.contains("case \"IDTokenRefused\": try .idTokenRefused(message: message(), reason: object.optional(\"reason\"))\n"))
    }

    @Test("an enumeration without a name is named by the member in which it stands first")
    func enumerations() throws {
        let types = try #require(
            try files(
                """
                type A (flows: [](browser, device), default: ?(in, out))
                type B (flow: (browser, device))
                """)["Interface+Types.swift"])
        #expect(types.contains("public var flows: [A.Flow]\n"))
        #expect(types.contains("public var flow: A.Flow\n"))
        #expect(types.contains("public enum Default: String, JSONConvertible, CaseIterable {\n            case `in`, out\n"))
        #expect(types.contains("public var `default`: A.Default?\n"))
    }

    @Test(
        "what has no Swift is refused with a sentence",
        arguments: [
            ("type A (b: float)", "A.b: fractions have no Swift type here yet"),
            ("type A (b: (c: int))", "the structure A.b needs a name: make it a type"),
            ("# Secret: c.\ntype A (b: string)", "A has no member c, which its comment calls secret"),
            ("# Secret: b.\ntype A (b: int)", "A.b is no string, so it cannot be secret"),
            ("type Method (b: int)", "Method is a name that Swift has other use for"),
            ("error E (message: string)", "E does not begin with code: int, message: string"),
            (
                "type A (b: int)\nmethod M(a: A) -> (a: A)",
                "A is both sent and received, and cannot be read strictly and leniently: make it two types"
            ),
            ("type A (", "the description: line 3: expected a field, found the end of the text"),
        ])
    func refused(members: String, sentence: String) throws {
        let error = #expect(throws: GeneratorError.self) { try files(members) }
        #expect(error?.description == sentence)
    }

    @Test("what a client sends is read strictly, and what it is sent is not")
    func strictness() throws {
        let all = try files("type In (a: int)\ntype Out (a: int)\nmethod M(given: []In) -> (taken: ?Out)")
        let types = try #require(all["Interface+Types.swift"])
        #expect(types.components(separatedBy: "allowOnly").count == 2)
        #expect(try #require(all["Interface+Methods.swift"]).components(separatedBy: "allowOnly").count == 2)
    }
}
