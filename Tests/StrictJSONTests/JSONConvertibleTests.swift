import StrictJSON
import Testing

@Suite("Members of a message")
struct JSONConvertibleTests {
    enum Flow: String, JSONConvertible, CaseIterable { case browser, device }

    @Test("null is as good as missing")
    func nullIsMissing() throws {
        let object: JSONObject = ["a": nil]
        #expect(try object.optional("a", as: String.self) == nil)
        #expect(throws: JSONMemberError(path: "a", reason: .missing)) { try object.required("a", as: String.self) }
    }

    @Test("a wrong type is named, with the place and never the value")
    func wrongType() {
        let object: JSONObject = ["scopes": ["openid", 7]]
        #expect { try object.required("scopes", as: [String].self) } throws: {
            "\($0)" == "scopes[1] must be a string, but is a number"
        }
    }

    @Test("a word that is not in the list is answered with the list")
    func words() throws {
        #expect(try Flow(json: "device") == .device)
        #expect { try (["flow": "browzer"] as JSONObject).required("flow", as: Flow.self) } throws: {
            "\($0)" == "flow must be one of browser, device"
        }
    }

    @Test("an unknown member is refused by name")
    func unknownMember() {
        let object: JSONObject = ["providerID": "github.com", "scope": "openid"]
        #expect(throws: JSONMemberError(path: "scope", reason: .unknown)) { try object.allowOnly(["providerID", "scopes"]) }
    }

    @Test("an integer is not taken from a fraction or from what does not fit")
    func integers() {
        for json: JSON in [.decimal("1.0"), .decimal("1e3"), .decimal("9223372036854775808"), "1", true, nil] {
            #expect(throws: JSONMemberError.self) { try Int(json: json) }
        }
    }

    @Test("dictionaries are written in the order of their keys")
    func dictionaries() throws {
        let values = ["b": "2", "a": "1"]
        #expect(values.json.text == #"{"a":"1","b":"2"}"#)
        #expect(try [String: String](json: values.json) == values)
    }

    @Test("a value is written as its JSON would be")
    func text() {
        let values: [any JSONConvertible] = [
            "text \"quoted\" ü", 42, Int64.min, true, ["a", "b"], [String](), [[1], []], ["key": 1, "another": 2],
            JSONObject(dictionaryLiteral: ("a", nil), ("b", [1, "2"])), JSON.null,
        ]
        for value in values {
            var bytes: [UInt8] = Array("before".utf8)
            value.serialize(into: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == "before" + value.json.text)
        }
    }

    struct Pair: JSONMemberList {
        var first: String?
        var second: Int

        var memberList: [JSONMember] { [JSONMember("first", first), JSONMember("second", second)] }
    }

    @Test("members become an object and its text alike, and those without a value are left out")
    func members() {
        for pair in [Pair(first: "one", second: 2), Pair(first: nil, second: 2)] {
            var bytes: [UInt8] = []
            JSON.serialize(members: pair, into: &bytes)
            #expect(bytes == pair.object.serialized)
        }
        #expect(Pair(first: nil, second: 2).object == ["second": 2])
        #expect(Pair(first: "one", second: 2).object.keys == ["first", "second"])
    }
}
