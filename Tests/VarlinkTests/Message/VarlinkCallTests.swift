import StrictJSON
import Testing
import Varlink

@Suite("Reading a call")
struct VarlinkCallTests {
    private func parse(_ text: String) throws -> VarlinkCall { try VarlinkCall(parsing: Array(text.utf8)) }

    @Test("a call has a method, and may have parameters and flags")
    func whole() throws {
        let call = try parse(#"{"method":"org.example.test.Echo","parameters":{"text":"x"},"more":true}"#)
        #expect(call == VarlinkCall(method: "org.example.test.Echo", parameters: ["text": "x"], more: true))
        #expect(call.interface == "org.example.test")
    }

    @Test("null stands for not given", arguments: ["parameters", "more", "oneway", "upgrade"])
    func null(member: String) throws {
        #expect(try parse(#"{"method":"a.B","\#(member)":null}"#) == VarlinkCall(method: "a.B"))
    }

    @Test(
        "a faulty member is named, and the connection lives on",
        arguments: [
            (#"{}"#, "method"),
            (#"{"method":null}"#, "method"),
            (#"{"method":7}"#, "method"),
            (#"{"method":"GetInfo"}"#, "method"),
            (#"{"method":"a.B","parameters":[]}"#, "parameters"),
            (#"{"method":"a.B","parameters":"x"}"#, "parameters"),
            (#"{"method":"a.B","more":1}"#, "more"),
            (#"{"method":"a.B","oneway":"yes"}"#, "oneway"),
            (#"{"method":"a.B","upgrade":true}"#, "upgrade"),
            (#"{"method":"a.B","mroe":true}"#, "mroe"),
        ])
    func fault(text: String, parameter: String) {
        #expect {
            try parse(text)
        } throws: { error in
            guard let error = error as? VarlinkCallError else { return false }
            return error.error == .invalidParameter(parameter) && !error.endsConnection && !error.isSilent
        }
    }

    @Test("anything but an object ends the connection", arguments: ["", "[]", "null", "\"a.B\"", "{", "{}}", "{\"a\":1,\"a\":1}", "hello"])
    func broken(text: String) {
        #expect(throws: VarlinkCallError.brokenMessage) { try parse(text) }
    }

    @Test(
        "a oneway call gets no reply, not even that it is wrong",
        arguments: [#"{"oneway":true,"mroe":1,"method":"a.B"}"#, #"{"mroe":1,"oneway":true}"#])
    func silent(text: String) {
        #expect { try parse(text) } throws: { ($0 as? VarlinkCallError)?.isSilent == true }
    }

    @Test("a call that wants many replies and none ends the connection")
    func contradiction() {
        #expect {
            try parse(#"{"method":"a.B","more":true,"oneway":true}"#)
        } throws: { ($0 as? VarlinkCallError)?.endsConnection == true }
    }

    @Test("what is written reads back the same")
    func roundTrip() throws {
        for call in [
            VarlinkCall(method: "a.B"), VarlinkCall(method: "a.B", parameters: ["x": [1, nil, "\n"]], more: true),
            VarlinkCall(method: "a.B", oneway: true),
        ] {
            var bytes: [UInt8] = []
            call.serialize(into: &bytes)
            #expect(try VarlinkCall(parsing: bytes) == call)
        }
    }
}
