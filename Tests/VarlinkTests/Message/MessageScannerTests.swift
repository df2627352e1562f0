import Testing

@testable import Varlink

/// What a scanner makes of bytes that come in pieces, as a connection would use it.
struct ScannedStream: Equatable {
    struct Message: Equatable {
        var text: String
        var ending: MessageEnding
    }

    var messages: [Message] = []
    var isOverlong = false

    init(_ pieces: [[UInt8]], limit: Int = 1 << 16) {
        var scanner = MessageScanner(limit: limit)
        var buffer: [UInt8] = []
        for piece in pieces where !isOverlong {
            buffer += piece
            var more = true
            while more {
                switch buffer.withUnsafeBytes({ scanner.next(in: $0) }) {
                case .message(let length, let consumed, let ending):
                    messages.append(Message(text: Self.trimmed(buffer[..<length]), ending: ending))
                    buffer.removeFirst(consumed)
                case .whiteSpace(let consumed): buffer.removeFirst(consumed)
                case .lateNUL(let consumed):
                    messages[messages.count - 1].ending = .nul
                    buffer.removeFirst(consumed)
                case .tooLong:
                    isOverlong = true
                    more = false
                case .needsMoreBytes: more = false
                }
            }
        }
    }

    init(_ text: String, limit: Int = 1 << 16) { self.init([Array(text.utf8)], limit: limit) }

    /// White space around a message means nothing, and where it is dropped depends on the pieces.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) } ?? start
        return start < bytes.endIndex ? String(decoding: bytes[start...end], as: UTF8.self) : ""
    }
}

@Suite("Finding messages in a stream")
struct MessageScannerTests {
    typealias Message = ScannedStream.Message

    @Test(
        "a stream is cut into messages",
        arguments: [
            ("{}\0", [Message(text: "{}", ending: .nul)]),
            ("{}\n", [Message(text: "{}", ending: .newline)]),
            ("{}\r\n", [Message(text: "{}", ending: .newline)]),
            ("{}", []),
            ("", []),
            ("\n\n  \n", []),
            ("\n{}\n\n{}\n", [Message(text: "{}", ending: .newline), Message(text: "{}", ending: .newline)]),
            // A newline within a message is white space, however the message ends.
            ("{\n\"a\":\n1\n}\0", [Message(text: "{\n\"a\":\n1\n}", ending: .nul)]),
            ("{\n\"a\":\n{}\n}\n", [Message(text: "{\n\"a\":\n{}\n}", ending: .newline)]),
            ("{}\n\0", [Message(text: "{}", ending: .nul)]),
            ("{} \n \n\0", [Message(text: "{}", ending: .nul)]),
            // Once a NUL has been seen, a newline ends nothing any more.
            ("{}\0{}\n{}\n", [Message(text: "{}", ending: .nul)]),
            ("{}\0{}\n\0", [Message(text: "{}", ending: .nul), Message(text: "{}", ending: .nul)]),
            ("{}\n{}\0{}\n", [Message(text: "{}", ending: .newline), Message(text: "{}", ending: .nul)]),
            // Braces, quotation marks and backslashes in strings do not count.
            (#"{"a":"}"}"# + "\n", [Message(text: #"{"a":"}"}"#, ending: .newline)]),
            (#"{"a":"\"}"}"# + "\n", [Message(text: #"{"a":"\"}"}"#, ending: .newline)]),
            (#"{"a":"\\"}"# + "\n", [Message(text: #"{"a":"\\"}"#, ending: .newline)]),
            (#"{"a":"{"# + "\n", [Message(text: #"{"a":"{"#, ending: .newline)]),
            // What can be no object any more is given out, to be refused.
            ("hello\n", [Message(text: "hello", ending: .newline)]),
            ("hello\0", [Message(text: "hello", ending: .nul)]),
            ("{}}\n", [Message(text: "{}}", ending: .newline)]),
            ("{}{}\n", [Message(text: "{}{}", ending: .newline)]),
            ("[1]\n", [Message(text: "[1]", ending: .newline)]),
            ("\0", [Message(text: "", ending: .nul)]),
            ("{}\0\0", [Message(text: "{}", ending: .nul), Message(text: "", ending: .nul)]),
        ])
    func messages(stream: String, expected: [Message]) {
        #expect(ScannedStream(stream).messages == expected)
        #expect(ScannedStream(stream.utf8.map { [$0] }).messages == expected)
    }

    @Test("pieces of any size give the same messages", arguments: 0..<40)
    func anyPieces(seed: UInt64) {
        var generator = SplitMix(state: seed)
        let words = ["{", "}", "{}", "{\"a\":1}", "\"", "\\", "\n", "\n", "\0", " ", "x", "[", "\"}\"", "\r\n", "{\n}"]
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...12, using: &generator)).flatMap { _ in Array(words.randomElement(using: &generator)!.utf8) }
            let whole = ScannedStream([bytes], limit: 16)
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &generator)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(ScannedStream(pieces, limit: 16) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription) in \(pieces.map(\.count))")
        }
    }

    @Test("a message may be as long as the limit and no longer", arguments: ["\0", "\n"])
    func limit(ending: String) {
        let longest = "{" + String(repeating: " ", count: 98) + "}"
        #expect(ScannedStream(longest + ending, limit: 100).messages.count == 1)
        #expect(!ScannedStream(longest + ending, limit: 100).isOverlong)
        #expect(ScannedStream(longest + ending, limit: 99).isOverlong)
        #expect(ScannedStream((longest + ending).utf8.map { [$0] }, limit: 99).isOverlong)
        #expect(ScannedStream("{\"\(String(repeating: "x", count: 200))", limit: 100).isOverlong)
    }

    @Test("white space between messages counts for no message")
    func blankLines() {
        let stream = ScannedStream(String(repeating: "\n", count: 1000) + "{}\n", limit: 100)
        #expect(stream.messages == [Message(text: "{}", ending: .newline)])
        #expect(!stream.isOverlong)
    }

    @Test("a megabyte that comes byte by byte is scanned in linear time", .timeLimit(.minutes(1)), arguments: ["{\"a\":\"", "{", "x"])
    func linear(start: String) {
        var scanner = MessageScanner(limit: 1 << 20)
        let bytes = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: 1 << 20)
        bytes.withUnsafeBytes { bytes in
            for end in 1...(1 << 20) {
                _ = scanner.next(in: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            }
            #expect(scanner.next(in: bytes) == .tooLong)
        }
    }
}

/// A seed makes a failure come again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
