import BridgeCore
import Testing

@Suite("An event stream")
struct EventStreamReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var stream: [UInt8]
        var items: [EventStreamReader.Item]
        var lastEventID = ""
        var retry: Int64?

        init(
            _ name: String, _ stream: String, _ items: [EventStreamReader.Item], lastEventID: String = "", retry: Int64? = nil
        ) {
            self.name = name
            self.stream = Array(stream.utf8)
            self.items = items
            self.lastEventID = lastEventID
            self.retry = retry
        }

        var testDescription: String { name }
    }

    static func event(_ data: String, type: String = "message") -> EventStreamReader.Item {
        .event(ServerEvent(type: type, data: Array(data.utf8)))
    }

    /// The limit is 64 bytes.
    static let cases: [Case] = [
        Case("nothing", "", []),
        Case("one event", "data: a\n\n", [event("a")]),
        Case("lines that end in CR", "data: a\r\rdata: b\r\r", [event("a"), event("b")]),
        Case("lines that end in CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", [event("a"), event("b")]),
        Case("line ends of all kinds", "data: a\r\ndata: b\rdata: c\n\r\n", [event("a\nb\nc")]),
        Case("a byte order mark", "\u{FEFF}data: a\n\n", [event("a")]),
        Case("a byte order mark twice", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", [event("b")]),
        Case("a byte order mark later", "data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
        Case("comments", ": ping\n\n:\n\ndata: a\n: between\ndata: b\n\n", [event("a\nb")]),
        Case("one blank after the colon is removed", "data:a\n\ndata: a\n\ndata:  a\n\ndata:\ta\n\n", ["a", "a", " a", "\ta"].map { event($0) }),
        Case("the standard's example of empty data", "data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
        Case("lines of data are joined", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        Case("an empty line of data at the end", "data: a\ndata:\n\n", [event("a\n")]),
        Case("what is unfinished is dropped", "data: a\n\ndata: b\n", [event("a")]),
        Case("a type", "event: add\ndata: a\n\ndata: b\n\n", [event("a", type: "add"), event("b")]),
        Case("an empty type", "event\ndata: a\n\nevent: \ndata: b\n\n", [event("a"), event("b")]),
        Case("the last type counts", "event: a\nevent: b\ndata: x\n\n", [event("x", type: "b")]),
        Case("a type without data gives no event, and is forgotten", "event: a\n\ndata: x\n\n", [event("x")]),
        Case("an id stays", "id: 1\ndata: a\n\ndata: b\n\n", [event("a"), event("b")], lastEventID: "1"),
        Case("an id stays until the next", "id: 1\ndata: a\n\nid: 2\ndata: b\n\n", [event("a"), event("b")], lastEventID: "2"),
        Case("an id without data counts", "id: 1\n\n", [], lastEventID: "1"),
        Case("an id before empty data", "id: 1\ndata: \n\n", [event("")], lastEventID: "1"),
        Case("an id of an unfinished event does not count", "id: 1\ndata: a\n\nid: 2\ndata: b\n", [event("a")], lastEventID: "1"),
        Case("an empty id resets", "id: 1\ndata: a\n\nid\ndata: b\n\n", [event("a"), event("b")]),
        Case("an id with NUL is ignored", "id: 1\n\nid: 2\u{0}3\n\n", [], lastEventID: "1"),
        Case("retry", "retry: 1500\n", [], retry: 1500),
        Case("retry that is no number", "retry: 20\nretry: 1x\nretry: -1\nretry: +1\nretry:  1\nretry: 1.0\nretry:\nretry: ١\n", [], retry: 20),
        Case("retry beyond all bounds", "retry: 99999999999999999999999999999\n", [], retry: .max),
        Case("retry cut off", "retry: 20", []),
        Case("unknown fields", "Data: a\nDATA: a\ndatas: a\ndat: a\n data: a\ndata : a\nidx: 1\n\n", []),
        Case("colons in a value", "data: a: b:\n\n", [event("a: b:")]),
        Case("the old transport", "event: endpoint\ndata: /messages?id=1\n\n", [event("/messages?id=1", type: "endpoint")]),
        Case("text of several bytes", "id: é\ndata: 世界\n\n", [event("世界")], lastEventID: "é"),
        Case("what is no UTF-8 is left to the reader of the data", "data: a\u{0}b\n\n", [event("a\u{0}b")]),
        Case("the longest event", "data: \(String(repeating: "a", count: 64))\n\n", [event(String(repeating: "a", count: 64))]),
        Case(
            "an event that is too long", "id: 1\ndata: \(String(repeating: "a", count: 65))\ndata: b\nid: 2\n\ndata: c\n\n",
            [.tooLong, event("c")], lastEventID: "2"),
        Case("an event of too many lines", String(repeating: "data\n", count: 66) + "\ndata: c\n\n", [.tooLong, event("c")]),
        Case("an event of as many lines as fit", String(repeating: "data\n", count: 65) + "\n", [event(String(repeating: "\n", count: 64))]),
        Case(
            "a type that is too long is cut", "event: \(String(repeating: "t", count: 300))\ndata: a\n\n",
            [event("a", type: String(repeating: "t", count: 256))]),
        Case("an id that is too long is none", "id: 1\n\nid: \(String(repeating: "i", count: 4097))\ndata: a\n\n", [event("a")]),
        Case("a comment without end", ":\(String(repeating: "c", count: 300))", []),
        Case("a name without end", String(repeating: "data", count: 100) + ": x\n\n", []),
    ]

    private func read(_ pieces: [[UInt8]]) -> (items: [EventStreamReader.Item], reader: EventStreamReader) {
        var reader = EventStreamReader(limit: 64)
        return (pieces.flatMap { reader.receive($0) }, reader)
    }

    @Test("gives its events", arguments: cases)
    func whole(_ stream: Case) {
        let (items, reader) = read([stream.stream])
        #expect(items == stream.items)
        #expect(reader.lastEventID == stream.lastEventID)
        #expect(reader.retry == stream.retry)
    }

    @Test("gives the same events cut at every byte, and byte by byte", arguments: cases)
    func cut(_ stream: Case) {
        for place in 0...stream.stream.count {
            let (items, reader) = read([Array(stream.stream[..<place]), Array(stream.stream[place...])])
            #expect(items == stream.items && reader.lastEventID == stream.lastEventID && reader.retry == stream.retry, "cut at \(place)")
        }
        let (items, reader) = read(stream.stream.pieces(of: 1))
        #expect(items == stream.items && reader.lastEventID == stream.lastEventID && reader.retry == stream.retry, "byte by byte")
    }

    @Test("gives an event as soon as its last line end begins")
    func atOnce() {
        var reader = EventStreamReader()
        #expect(reader.receive(Array("data: a\r\r".utf8)) == [Self.event("a")])
        #expect(reader.receive([0x0A]).isEmpty)
        #expect(reader.receive(Array("data: b\r\n\r".utf8)) == [Self.event("b")])
    }

    @Test(
        "can be resumed only from an id that a header field can carry",
        arguments: [
            ("1", "1"), ("a/b=c d", "a/b=c d"), ("", nil), (" a", nil), ("a ", nil), ("a\u{1}b", nil), ("a\u{7F}", nil), ("é", nil), ("a\tb", nil),
        ] as [(String, String?)])
    func resumption(id: String, resumed: String?) {
        var reader = EventStreamReader()
        _ = reader.receive(Array("id: \(id)\n\n".utf8))
        #expect(reader.resumptionID == resumed)
    }
}
