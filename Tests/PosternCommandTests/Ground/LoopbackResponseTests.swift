import Testing

@testable import TestDaemon
@testable import postern

@Suite("An answer of the listener")
struct LoopbackResponseTests {
    @Test("status, headers and body are read")
    func plain() throws {
        let response = try LoopbackResponse(parsing: Array("HTTP/1.1 303 See Other\r\nLocation:  /x\r\nA: b:c\r\n\r\nbody".utf8))
        #expect(response.status == 303)
        #expect(response.header("location") == "/x")
        #expect(response.header("a") == "b:c")
        #expect(String(decoding: response.body, as: UTF8.self) == "body")
    }

    @Test("chunks are joined")
    func chunks() throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"
        #expect(try String(decoding: LoopbackResponse(parsing: Array(text.utf8)).body, as: UTF8.self) == "hello!")
    }

    @Test(
        "a malformed answer is refused",
        arguments: [
            "", "HTTP/1.1 200 OK", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        ])
    func refused(text: String) {
        #expect(throws: LoopbackRequest.Failure.self) { try LoopbackResponse(parsing: Array(text.utf8)) }
    }
}
