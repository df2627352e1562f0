import Testing

@testable import PosternValues

@Suite("Percent-encoding")
struct PercentEncodingTests {
    /// What is no whole escape stays.
    private static func withoutOneLayer(_ text: String) -> String {
        var (rest, decoded) = (text[...], "")
        while let character = rest.popFirst() {
            if character == "%", rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
                decoded.append(Character(Unicode.Scalar(byte)))
                rest = rest.dropFirst(2)
            } else {
                decoded.append(character)
            }
        }
        return decoded
    }

    @Test("all layers come off at once, and leave what they leave one after the other")
    func layers() {
        var texts = [""]
        for _ in 0..<7 { texts += texts.filter { $0.utf8.count == texts[texts.count - 1].utf8.count }.flatMap { text in "%25e".map { text + String($0) } } }
        #expect(texts.count == 21_845)
        for text in texts {
            var (plain, last) = (text, "")
            while plain != last { (plain, last) = (Self.withoutOneLayer(plain), plain) }
            // The bytes here are all ASCII, or come out of one escape and are in no other.
            #expect(PercentEncoding.decodeAll(text.utf8) == plain.unicodeScalars.map { UInt8($0.value) }, "\(text)")
        }
    }

    @Test("however many layers there are, each byte is looked at once")
    func onePass() {
        final class Counted: Sequence, IteratorProtocol {
            var rest = Substring("x%" + String(repeating: "25", count: 4000) + "2e%2F").utf8
            var reads = 0

            func next() -> UInt8? {
                reads += 1
                return rest.popFirst()
            }
        }
        let text = Counted()
        let length = text.rest.count
        #expect(PercentEncoding.decodeAll(text) == Array("x./".utf8))
        #expect(text.reads == length + 1)
    }
}
