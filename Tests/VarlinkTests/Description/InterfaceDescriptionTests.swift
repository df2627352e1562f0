import Testing
@testable import Varlink

@Suite("Interface descriptions")
struct InterfaceDescriptionTests {
    @Test("a whole description is read, with its comments and lines")
    func whole() throws {
        let interface = try InterfaceDescription(
            parsing: """
                # About this interface,
                # in two lines.
                interface org.example.first-test

                # Not about Colour: an empty line is between.

                # A colour.
                type Colour (red, green, blue)

                type Point (
                  # From the left.
                  x: int,
                  y: ?float # to the right
                )

                method Draw(at: Point, colours: []Colour, tags: [string]?string, set: [string]()) -> ()
                # Gives nothing back.
                method Clear() -> (was: (empty: bool, raw: ?object, anything: any))
                error OutOfPaper (wants: ?[](first: int, second: string))
                """)
        #expect(interface.name == "org.example.first-test")
        #expect(interface.documentation == "About this interface,\nin two lines.")
        let colour = try #require(interface.type(named: "Colour"))
        #expect(colour.type == .enumeration(["red", "green", "blue"]))
        #expect(colour.documentation == "A colour.")
        #expect(colour.line == 8)
        let point = try #require(interface.type(named: "Point"))
        #expect(point.documentation == "")
        #expect(
            point.type
                == .structure([
                    .init(name: "x", type: .int, documentation: "From the left."),
                    .init(name: "y", type: .nullable(.float)),
                ]))
        let draw = try #require(interface.method(named: "Draw"))
        #expect(
            draw.parameters.map(\.type) == [
                .named("Point"), .array(.named("Colour")), .map(.nullable(.string)), .map(.structure([])),
            ])
        #expect(draw.reply == [])
        let clear = try #require(interface.method(named: "Clear"))
        #expect(clear.documentation == "Gives nothing back.")
        guard case .structure(let fields) = clear.reply[0].type else { return #expect(Bool(false)) }
        #expect(fields.map(\.type) == [.bool, .nullable(.object), .any])
        let error = try #require(interface.error(named: "OutOfPaper"))
        #expect(
            error.parameters[0].type
                == .nullable(
                    .array(
                        .structure([
                            .init(name: "first", type: .int),
                            .init(name: "second", type: .string),
                        ]))))
    }

    @Test("the description of org.varlink.service is one")
    func serviceInterface() throws {
        let interface = try InterfaceDescription(parsing: ServiceInterface.description)
        #expect(interface.name == ServiceInterface.name)
        #expect(interface.methods.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
        #expect(interface.errors.count == 6)
    }

    @Test(
        "layout is free",
        arguments: ["interface a.b method M()->()", "interface a.b\r\nmethod M ( ) \r\n ->\r\n ( )\r\n", "#x\ninterface a.b#y\nmethod M()->()#z"])
    func layout(text: String) throws {
        #expect(try InterfaceDescription(parsing: text).methods.map(\.name) == ["M"])
    }

    @Test(
        "a fault is told with its line",
        arguments: [
            ("", 1, "expected 'interface', found the end of the text"),
            ("type T ()", 1, "expected 'interface', found 'type'"),
            ("interface x", 1, "'x' is not an interface name; write it like org.example.service"),
            ("interface org..x", 1, "'org..x' is not an interface name; write it like org.example.service"),
            ("interface org.x-", 1, "'org.x-' is not an interface name; write it like org.example.service"),
            ("interface 1.x", 1, "'1.x' is not an interface name; write it like org.example.service"),
            ("interface a.b\n\nfunction F()", 3, "expected 'type', 'method' or 'error', found 'function'"),
            ("interface a.b\ntype lower ()", 2, "'lower' is not a name for a type, method or error; these begin with a capital letter"),
            ("interface a.b\ntype T ()\nerror T ()", 3, "'T' is defined twice"),
            ("interface a.b\ntype T (\n x: int,\n x: int)", 4, "'x' appears twice in one list"),
            ("interface a.b\ntype T (a, a)", 2, "'a' appears twice in one list"),
            ("interface a.b\ntype T (\n x: Missing)", 3, "the type 'Missing' is not defined"),
            ("interface a.b\ntype T (x: strin)", 2, "the type 'strin' is not defined"),
            ("interface a.b\ntype T (x: ??int)", 2, "a type can be made nullable only once"),
            ("interface a.b\ntype T (x, y: int)", 2, "a list has either fields with their types or the values of an enumeration, not both"),
            ("interface a.b\ntype T (x: int, y)", 2, "a list has either fields with their types or the values of an enumeration, not both"),
            ("interface a.b\ntype T (x: int,)", 2, "expected a field, found ')'"),
            ("interface a.b\ntype T (x: int", 2, "expected ')', found the end of the text"),
            ("interface a.b\ntype T (x: [int]string)", 2, "expected ']', found 'int'"),
            ("interface a.b\ntype T (x:)", 2, "expected a type, found ')'"),
            ("interface a.b\ntype T (_x: int)", 2, "'_x' is not a name for a field"),
            ("interface a.b\ntype T (x__y: int)", 2, "'x__y' is not a name for a field"),
            ("interface a.b\ntype T (x_: int)", 2, "'x_' is not a name for a field"),
            ("interface a.b\nmethod M()", 2, "expected '->', found the end of the text"),
            ("interface a.b\nmethod M() -> (a, b)", 2, "expected fields with their types, found an enumeration"),
            ("interface a.b\nerror E (a, b)", 2, "expected fields with their types, found an enumeration"),
            ("interface a.b\nmethod M() => ()", 2, "unexpected character '='"),
            ("interface a.b\ntype T (x: é)", 2, "unexpected character 'é'"),
        ])
    func faults(text: String, line: Int, sentence: String) {
        #expect {
            try InterfaceDescription(parsing: text)
        } throws: { "\($0)" == "line \(line): \(sentence)" }
    }

    @Test("types nested without end are refused")
    func depth() {
        let text = "interface a.b\ntype T (x: " + String(repeating: "[]", count: 10_000) + "int)"
        #expect {
            try InterfaceDescription(parsing: text)
        } throws: { ($0 as? InterfaceDescriptionError)?.reason.sentence == "types are nested too deeply" }
    }

    @Test("no beginning of a description crashes the parser")
    func beginnings() {
        let text = Array(ServiceInterface.description.unicodeScalars)
        for length in 0..<text.count {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: text[..<length])
            _ = try? InterfaceDescription(parsing: String(view))
        }
    }
}
