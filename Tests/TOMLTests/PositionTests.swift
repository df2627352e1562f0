@testable import TOML
import Testing

@Suite("Positions")
struct PositionTests {
    static let document = """
        # first line
        title = "x"
        [callback]
          port = 1
        "日本" = [1, "é", 2]   # a wide character is one column
        dotted.key.path = { a = 1, b = [ 2,
          3 ] }

        [[list]]
        x = '''
        two lines'''
        y = 2
        """

    @Test(
        "Every value carries the line and column where it begins",
        arguments: [
            ("title", 2, 9), ("callback", 3, 1), ("callback.port", 4, 10), ("callback.日本", 5, 8), ("callback.日本.1", 5, 12),
            ("callback.日本.2", 5, 17), ("callback.dotted", 6, 1), ("callback.dotted.key", 6, 8), ("callback.dotted.key.path", 6, 19),
            ("callback.dotted.key.path.b.1", 7, 3), ("list", 9, 1), ("list.0", 9, 1), ("list.0.x", 10, 5), ("list.0.y", 12, 5),
        ])
    func valuePositions(path: String, line: Int, column: Int) throws {
        let table = try TOMLTable(parsing: Array(Self.document.utf8))
        var value = TOMLValue(content: .table(table), position: TOMLPosition(line: 1, column: 1))
        for part in path.split(separator: ".") {
            switch value.content {
            case .table(let table): value = try #require(table[String(part)])
            case .array(let elements): value = elements[try #require(Int(part))]
            default: Issue.record("\(part) leads nowhere")
            }
        }
        #expect(value.position == TOMLPosition(line: line, column: column))
    }

    @Test("A key has its own place, apart from its value's")
    func keyPosition() throws {
        let table = try TOMLTable(parsing: Array("\n  a   =  1".utf8))
        #expect(table.members[0].keyPosition == TOMLPosition(line: 2, column: 3))
        #expect(table.members[0].value.position == TOMLPosition(line: 2, column: 10))
    }

    @Test("A line that ends in two characters counts once")
    func carriageReturns() throws {
        let table = try TOMLTable(parsing: Array("a = 1\r\n\r\nb = 2\r\n".utf8))
        #expect(table["b"]?.position == TOMLPosition(line: 3, column: 5))
    }

    @Test("A table that is defined after its sub-table stands where its own header is")
    func lateHeader() throws {
        let table = try TOMLTable(parsing: Array("[a.b]\n[a]\n".utf8))
        #expect(table["a"]?.position == TOMLPosition(line: 2, column: 1))
    }
}
