import StrictJSON
import Testing
import Varlink

@Suite("Values held against a description")
struct InterfaceCheckTests {
    private static let text = """
        interface a.b
        type Colour (red, green)
        type Tree (name: string, children: []Tree)
        method M(
          n: int, x: ?float, colour: Colour, tree: ?Tree, tags: ?[string]int, raw: ?object, lists: ?[]?[]bool, free: ?any
        ) -> ()
        """

    private func check(_ text: String) throws {
        let interface = try InterfaceDescription(parsing: Self.text)
        let method = try #require(interface.method(named: "M"))
        try interface.check(try #require(try JSON(parsing: text).objectValue), against: method.parameters)
    }

    @Test(
        "what fits is accepted",
        arguments: [
            #"{"n":1,"colour":"red"}"#,
            #"{"n":-1,"colour":"green","x":1,"tree":null,"tags":{},"raw":{"a":[]},"lists":[null,[true],[]],"free":[1]}"#,
            #"{"n":1,"colour":"red","x":1.5,"tree":{"name":"","children":[{"name":"x","children":[]}]},"tags":{"a":1}}"#,
        ])
    func fits(text: String) throws { try check(text) }

    @Test(
        "what does not fit is named",
        arguments: [
            (#"{"colour":"red"}"#, "n is missing"),
            (#"{"n":null,"colour":"red"}"#, "n must be an integer, but is null"),
            (#"{"n":1.0,"colour":"red"}"#, "n must be an integer, but is a number"),
            (#"{"n":1,"colour":"blue"}"#, "colour must be one of red, green"),
            (#"{"n":1,"colour":7}"#, "colour must be a string, but is a number"),
            (#"{"n":1,"colour":"red","z":1}"#, "z is not known here"),
            (#"{"n":1,"colour":"red","tags":{"a":"b"}}"#, "tags.a must be an integer, but is a string"),
            (#"{"n":1,"colour":"red","tree":{"name":"x","children":[{"name":"y"}]}}"#, "tree.children[0].children is missing"),
            (#"{"n":1,"colour":"red","lists":[[1]]}"#, "lists[0][0] must be a boolean, but is a number"),
            (#"{"n":1,"colour":"red","raw":[]}"#, "raw must be an object, but is an array"),
        ])
    func doesNotFit(text: String, sentence: String) {
        #expect { try check(text) } throws: { "\($0)" == sentence }
    }
}
