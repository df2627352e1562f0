import BridgeCore
import StrictJSON
import Testing

@Suite("An error of the bridge")
struct MCPErrorTests {
    @Test("has the id as it was written, and its message as JSON")
    func line() {
        let id = MessageID.raw(Array(#""\u0061\/""#.utf8))
        let line = MCPError.line(id: id, code: MCPErrorCode.personNeeded, message: "run \"postern login work\"\n\u{7}世")
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":"\u0061\/","error":{"code":-33401,"message":"run \"postern login work\"\n\u0007世"}}"#)
    }

    @Test("has null for an unknown id", arguments: [MessageID.missing, .null])
    func withoutID(id: MessageID) throws {
        let line = MCPError.line(MCPReadError(code: MCPErrorCode.parseError, message: "not valid JSON", id: id))
        #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not valid JSON"}}"#)
    }

    @Test("is a message that the bridge itself can read")
    func isMessage() throws {
        let line = MCPError.line(id: .raw(Array("7".utf8)), code: MCPErrorCode.interrupted, message: "\u{2028}")
        let message = try #require(try MCPBatch(reading: line).messages.first)
        #expect(message.kind == .response && message.hasError && message.errorCode == -33502 && message.id == .raw([UInt8(ascii: "7")]))
    }

    @Test("has a code of its own outside of those that JSON-RPC and MCP reserve")
    func codes() {
        for kind in [BridgeFailure.Kind.personNeeded, .daemon, .unreachable, .interrupted] {
            #expect(!(-32768 ... -32000).contains(kind.errorCode))
        }
        for code in [MCPErrorCode.tooLong, MCPErrorCode.httpStatus, MCPErrorCode.notCarried] { #expect(!(-32768 ... -32000).contains(code)) }
    }
}
