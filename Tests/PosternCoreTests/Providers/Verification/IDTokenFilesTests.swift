import PosternCore
import PosternCrypto
import StrictJSON
import Testing

/// `Hostile/IDTokens`: the outcome, then what the token is made of, one `name: value` a line; what is not said is right.
///
/// `token` is a whole token, all else makes one: `key` (rs, ps, es, ed, stranger), `header` and `claims` (the text, JSON or not),
/// `change` (claims to replace, null to take away), `sign` (`flipped`, `empty`, `short`, `long`, `hmac`, `zero`, or a text in its place), `nonce`
/// (what was sent; `none`), `access-token`, `code`, `max-age`.
@Suite struct IDTokenFilesTests {
    private struct Case {
        private var lines: [String: String] = [:]

        init(_ body: [UInt8]) throws {
            for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
                let colon = try #require(line.firstIndex(of: ":"))
                lines[String(line[..<colon])] = String(line[line.index(colon, offsetBy: 2)...])
            }
        }

        private func token() throws -> Secret {
            if let token = lines["token"] { return Secret(token) }
            let changes = try lines["change"].map { try JSON(parsing: $0).objectValue ?? [:] } ?? [:]
            var forge = try TokenForge(key: lines["key"] ?? "es", changes: changes)
            if let header = lines["header"] { forge.header = header }
            if let claims = lines["claims"] { forge.claims = claims }
            return Secret("\(forge.signingInput).\(try signature(of: forge))")
        }

        private func signature(of forge: TokenForge) throws -> String {
            var bytes = try forge.signature()
            switch lines["sign"] {
            case nil: break
            case "flipped": bytes[bytes.count / 2] ^= 1
            case "empty": bytes = []
            case "short": bytes.removeLast()
            case "long": bytes.append(0)
            case "zero": bytes = Array(repeating: 0, count: bytes.count)
            case "hmac":
                let key = JSON.object(["kty": "RSA"]).serialized
                bytes = OpenSSLCryptography().hmacSHA256(key: key, message: Array(forge.signingInput.utf8))
            case let text?: return text
            }
            return Base64URL.encode(bytes)
        }

        func outcome() throws -> String {
            let nonce = lines["nonce"].map { $0 == "none" ? nil : Secret($0) } ?? TokenForge.rightNonce
            return try judge(
                token(), nonce: nonce, accessToken: lines["access-token"] ?? "at-1", code: lines["code"],
                parameters: lines["max-age"].map { ["max_age": $0] } ?? [:])
        }
    }

    @Test("ID tokens have the outcome that their file names", arguments: TextCases.names(in: "IDTokens"))
    func file(name: String) throws {
        let (outcome, body) = try TextCases.read(name, in: "IDTokens")
        #expect(try Case(body).outcome() == outcome)
    }

    @Test("The files are found")
    func count() {
        #expect(TextCases.names(in: "IDTokens").count > 60)
    }
}
