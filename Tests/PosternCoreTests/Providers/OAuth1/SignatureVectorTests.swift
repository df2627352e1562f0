import PosternCrypto
import Testing

@testable import PosternCore

/// Signatures that others have printed: X's documents (A to C) and RFC 5849 (D, E). All secrets in them are public.
@Suite("OAuth 1.0a signatures") struct SignatureVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "POST"
        var url: String
        var form = ""
        var parameters: [(name: String, value: String)]
        var clientSecret: String
        var tokenSecret: String?
        var base: String?
        var signature: String

        var testDescription: String { name }
    }

    private static func oauth(
        _ key: String, nonce: String, timestamp: Int, version: String? = "1.0", token: String? = nil, _ further: (name: String, value: String)...
    ) -> [(name: String, value: String)] {
        var parameters = [
            (name: "oauth_consumer_key", value: key), ("oauth_nonce", nonce), ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", String(timestamp)),
        ]
        if let version { parameters.append(("oauth_version", version)) }
        if let token { parameters.append(("oauth_token", token)) }
        return parameters + further
    }

    private static func vectorA(_ name: String, _ url: String, base: String? = nil, _ signature: String) -> Vector {
        Vector(
            name: name, url: url, form: "status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21",
            parameters: oauth(
                "xvz1evFS4wEEPTGEFPHBog", nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958,
                token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"),
            clientSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw", tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
            base: base, signature: signature)
    }

    private static func vectorB(_ host: String, base: String? = nil, _ signature: String) -> Vector {
        Vector(
            name: "B at \(host)", url: "https://\(host)/oauth/request_token",
            parameters: oauth(
                "cChZNFj6T5R0TigYB9yd1w", nonce: "ea9ec8429b68d6b77cd5600adbbb0456", timestamp: 1_318_467_427,
                ("oauth_callback", "http://localhost/sign-in-with-twitter/")),
            clientSecret: "L8qq9PZyRg6ieKGEKhZolGC0vJWLw8iEJ88DRdyOg", base: base, signature: signature)
    }

    private static func vectorC(_ host: String, _ signature: String) -> Vector {
        Vector(
            name: "C at \(host)", url: "https://\(host)/oauth/access_token",
            form: "oauth_verifier=uw7NjWHT6OJ1MpJOXsHfNxoAhPKpgI8BlYDhxEjIBY",
            parameters: oauth(
                "cChZNFj6T5R0TigYB9yd1w", nonce: "a9900fe68e2573b27a37f10fbad6a755", timestamp: 1_318_467_427,
                token: "NPcudxy0yU5T3tBzho7iCotZ3cnetKwcTIRlX0iwRl0"),
            clientSecret: "L8qq9PZyRg6ieKGEKhZolGC0vJWLw8iEJ88DRdyOg", tokenSecret: "veNRnAWe6inFuo8o2u8SLLZLjolYDmDP7SzL0YfYI",
            signature: signature)
    }

    private static func vectorD(
        _ name: String, method: String = "POST", _ url: String, timestamp: Int, nonce: String, token: (name: String, secret: String)? = nil,
        _ further: [(name: String, value: String)], _ signature: String
    ) -> Vector {
        Vector(
            name: name, method: method, url: url,
            parameters: oauth("dpf43f3p2l4k3l03", nonce: nonce, timestamp: timestamp, version: nil, token: token?.name) + further,
            clientSecret: "kd94hf93k423kf44", tokenSecret: token?.secret, signature: signature)
    }

    static let vectors: [Vector] = [
        vectorA(
            "A", "https://api.x.com/1.1/statuses/update.json?include_entities=true",
            base:
                "POST&https%3A%2F%2Fapi.x.com%2F1.1%2Fstatuses%2Fupdate.json&include_entities%3Dtrue%26oauth_consumer_key%3Dxvz1evFS4wEEPTGEFPHBog%26oauth_nonce%3DkYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1318622958%26oauth_token%3D370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb%26oauth_version%3D1.0%26status%3DHello%2520Ladies%2520%252B%2520Gentlemen%252C%2520a%2520signed%2520OAuth%2520request%2521",
            "Ls93hJiZbQ3akF3HF3x1Bz8/zU4="),
        vectorA("A at the older host", "https://api.twitter.com/1.1/statuses/update.json?include_entities=true", "hCtSmYh+iHYCEqBWrE7C7hYmtUk="),
        vectorA("A at the older path", "https://api.twitter.com/1/statuses/update.json?include_entities=true", "tnnArxj06cWHq44gCs1OSKk/jLY="),
        vectorB("api.twitter.com", "F1Li3tvehgcraF8DMJ7OyxO4w9Y="),
        vectorB("api.x.com", "X9xhcB9d+NxXd/ThJ/n51vPhetM="),
        vectorC("api.twitter.com", "39cipBtIOHEEnybAR4sATQTpl2I="),
        vectorC("api.x.com", "G3DdousFWwxEepaZcmHguKqeBvs="),
        vectorD(
            "D, temporary credentials", "https://photos.example.net/initiate", timestamp: 137_131_200, nonce: "wIjqoS",
            [("oauth_callback", "http://printer.example.com/ready")], "74KNZJeDHnMBp0EMJ9ZHt/XKycU="),
        vectorD(
            "D, token credentials", "https://photos.example.net/token", timestamp: 137_131_201, nonce: "walatlh",
            token: ("hh5s93j4hdidpola", "hdhd0244k9j7ao03"), [("oauth_verifier", "hfdp7dh39dks9884")], "gKgrFCywp7rO0OXSjdot/IHF7IU="),
        vectorD(
            "D, a resource", method: "GET", "http://photos.example.net/photos?file=vacation.jpg&size=original", timestamp: 137_131_202,
            nonce: "chapoH", token: ("nnch734d00sl2jdk", "pfkkdhi9sl3r4s00"), [], "MdpQcU8iPSUjWoN/UDMsK2sui9I="),
        Vector(
            name: "E", url: "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", form: "c2&a3=2+q",
            parameters: oauth("9djdj82h48djs9d2", nonce: "7d8f3e4a", timestamp: 137_131_201, version: nil, token: "kkk9d7dh3k39sjv7"),
            clientSecret: "j49sk3j29djd", tokenSecret: "dh893hdasih9",
            base:
                "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7",
            signature: "r6/TJjbCOr97/+UU0NsvSne7s5g="),
    ]

    @Test("Base strings and signatures are those of the vectors, byte for byte", arguments: vectors)
    func vector(_ vector: Vector) {
        let base = SignatureBaseString(
            method: vector.method, url: vector.url, form: Array(vector.form.utf8), protocolParameters: vector.parameters)
        if let expected = vector.base { #expect(base.text == expected) }
        let key = OAuth1SigningKey(clientSecret: Secret(vector.clientSecret), tokenSecret: vector.tokenSecret.map { Secret($0) })
        #expect(key.signature(over: base, cryptography: OpenSSLCryptography()) == vector.signature)
    }

    @Test("A callback URL is in the base string encoded twice")
    func callbackTwice() {
        let base = SignatureBaseString(
            method: "POST", url: "https://api.x.com/oauth/request_token",
            protocolParameters: [("oauth_callback", "http://localhost/sign-in-with-twitter/")])
        #expect(base.text.contains("oauth_callback%3Dhttp%253A%252F%252Flocalhost%252Fsign-in-with-twitter%252F"))
    }

    @Test(
        "Names and values are encoded as RFC 5849 section 3.6 has it",
        arguments: [
            ("Ladies + Gentlemen", "Ladies%20%2B%20Gentlemen"), ("An encoded string!", "An%20encoded%20string%21"),
            ("Dogs, Cats & Mice", "Dogs%2C%20Cats%20%26%20Mice"), ("\u{2603}", "%E2%98%83"), ("*'()~-._", "%2A%27%28%29~-._"), ("", ""),
        ])
    func encoding(text: String, encoded: String) { #expect(PercentEncoding.encode(text) == encoded) }

    @Test(
        "The base URI has scheme and host in lower case and no port of its own scheme; its path stays as it is",
        arguments: [
            ("HTTPS://API.X.com:443/a/B", "https://api.x.com/a/B"), ("http://example.com:80", "http://example.com/"),
            ("http://example.com:443/x", "http://example.com:443/x"), ("http://127.0.0.1:8080/a//b%2fc", "http://127.0.0.1:8080/a//b%2fc"),
            ("https://[::1]:443/x", "https://[::1]/x"), ("http://[::80]/x", "http://[::80]/x"), ("https://example.com?a=b", "https://example.com/"),
        ])
    func baseURI(url: String, expected: String) {
        let parts = SignatureBaseString(method: "get", url: url, protocolParameters: []).text.split(
            separator: "&", omittingEmptySubsequences: false)
        #expect(parts[0] == "GET")
        #expect(parts[1] == PercentEncoding.encode(expected))
    }

    @Test("Names that come twice are all kept, and sorted by their values; empty values keep their names")
    func repeated() {
        let base = SignatureBaseString(method: "GET", url: "https://x.example/?b=2&b=10&a&b=", protocolParameters: [("a", "~")])
        #expect(base.text.hasSuffix("&" + PercentEncoding.encode("a=&a=~&b=&b=10&b=2")))
    }

    @Test("What is no form encoding is signed as the bytes that it is")
    func lenient() {
        let base = SignatureBaseString(method: "GET", url: "https://x.example/?a=%zz&b=%ff", protocolParameters: [])
        #expect(base.text.hasSuffix("&" + PercentEncoding.encode("a=%25zz&b=%FF")))
    }
}
