import PosternCore
import Testing

/// Spoilt queries: never a crash, and what is read says the same when it is written and read again.
@Suite("Spoilt parameters of an authorization response")
struct CallbackParametersFuzzTests {
    private static let seeds = [
        "state=abc&code=def&iss=https%3A%2F%2Fe.example&scope=a+b", "error=access_denied&error_description=No+way%21&state=%E3%81%82",
        "oauth_token=t&oauth_verifier=v", "denied=x", "a=1&b=2&c=3&d=&e&&=&=x",
        "state=S&code=c.0.x&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ex%22%7D%7D",
    ]
    private static let pieces = ["&", "=", "%", "%00", "%C3%A9", "%FF", "+", "state=", "&state=", "%0D%0A", "é", "\u{0}", "#", "?"]

    @Test("are read or refused, and what is read stays the same")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<20_000 {
            var bytes = Array(Self.seeds[round % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where place < bytes.count: bytes.remove(at: place)
                case 1 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                default:
                    bytes.insert(contentsOf: Array(Self.pieces.randomElement(using: &generator).map { Array($0.utf8) } ?? []), at: place)
                }
            }
            guard let parameters = try? CallbackParameters(parsing: bytes) else { continue }
            for name in ["state", "code", "error", "iss", "a", "user"] {
                guard let value = parameters[name] else { continue }
                #expect(!value.isEmpty)
                let again = try CallbackParameters(parsing: (name + "=" + Self.encoded(value.reveal())).utf8)
                #expect(again[name] == value)
            }
            let url = "http://127.0.0.1:1/h?" + String(decoding: bytes, as: UTF8.self)
            if let redirect = try? DeliveredRedirect(parsing: url) { #expect(redirect.redirectURI == "http://127.0.0.1:1/h") }
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count < 2 ? "0" + digits : digits)
        }.joined()
    }
}
