import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

@Suite("The keys of the users' ID tokens")
struct UserTokenKeysTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let hour: Int64 = 3600
    private static let day: Int64 = 86_400

    /// A key that is told from others by its number; nothing is signed with it.
    private static func key(_ number: UInt8) -> UserTokenKey? {
        UserTokenKey(
            privateKeyPEM: Secret("key \(number)"), x: Array(repeating: number, count: 32), y: Array(repeating: 9, count: 32),
            cryptography: OpenSSLCryptography())
    }

    /// Keys under a clock that a test turns; keys are numbered as they are made.
    private struct Ring {
        var keys: UserTokenKeys
        var made: UInt8 = 1

        init() throws { keys = UserTokenKeys(first: try #require(UserTokenKeysTests.key(1)), now: UserTokenKeysTests.start) }

        mutating func ask(at seconds: Int64) throws {
            var made = made
            keys = try keys.advanced(to: UserTokenKeysTests.start.adding(seconds: seconds)) {
                made += 1
                return try #require(UserTokenKeysTests.key(made))
            }
            self.made = made
        }

        /// `signing [next] retired…`
        var text: String {
            let next = keys.next.map { " [\($0.key.x[0])]" } ?? ""
            return "\(keys.signing.key.x[0])\(next)" + keys.retired.map { " -\($0.key.x[0])" }.joined()
        }
    }

    /// A life: when the keys are asked for, in seconds after the first key was made, and how they stand then.
    struct Life: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [(at: Int64, stands: String)]
    }

    static let lives = [
        Life(
            testDescription: "asked every so often",
            steps: [
                (0, "1"), (hour, "1"), (28 * day - 1, "1"), (28 * day, "1 [2]"), (29 * day, "1 [2]"), (30 * day - 1, "1 [2]"),
                (30 * day, "2 -1"), (30 * day + 4199, "2 -1"), (30 * day + 4200, "2"), (58 * day, "2 [3]"), (60 * day, "3 -2"),
                (61 * day, "3"),
            ]),
        Life(
            testDescription: "asleep for a year: the next key is published for a day before it signs",
            steps: [(365 * day, "1 [2]"), (366 * day - 1, "1 [2]"), (366 * day, "2 -1"), (366 * day + 4200, "2")]),
        Life(
            testDescription: "asleep for a year, with the next key published before",
            steps: [(28 * day, "1 [2]"), (400 * day, "2 -1"), (800 * day, "2 [3]"), (801 * day, "3 -2")]),
        Life(
            testDescription: "the next key comes late in the time of the one before",
            steps: [(30 * day - 1, "1 [2]"), (30 * day, "1 [2]"), (31 * day - 2, "1 [2]"), (31 * day - 1, "2 -1")]),
        Life(
            testDescription: "a clock a year ahead, then set right: nothing rotates early, and nothing waits a year",
            steps: [
                (365 * day, "1 [2]"), (hour, "1 [2]"), (30 * day - 1, "1 [2]"), (30 * day, "2 -1"), (31 * day, "2"), (60 * day, "2 [3]"),
                (61 * day, "3 -2"),
            ]),
        Life(
            testDescription: "a clock that was ahead when the key changed: the key before is published on",
            steps: [
                (28 * day, "1 [2]"), (365 * day, "2 -1"), (29 * day, "2 -1"), (29 * day + 4199, "2 -1"), (29 * day + 4200, "2"),
                (57 * day, "2 [3]"), (59 * day, "3 -2"),
            ]),
        Life(
            testDescription: "a clock set back before everything: what signed goes on signing",
            steps: [(29 * day, "1 [2]"), (-1000 * day, "1 [2]"), (-999 * day, "1 [2]"), (-970 * day, "2 -1"), (-969 * day, "2")]),
    ]

    @Test("follow the table", arguments: lives)
    func life(life: Life) throws {
        var ring = try Ring()
        for (moment, stands) in life.steps {
            try ring.ask(at: moment)
            #expect(ring.text == stands, "at \(moment)")
            let before = ring.keys
            try ring.ask(at: moment)
            #expect(ring.keys == before, "a second question at the same moment changes nothing")
        }
    }

    @Test("however rarely they are asked for, no key signs before it was published for a day, and none that signed goes before its tokens")
    func invariants() throws {
        // The same steps each time the tests run.
        var seed: UInt64 = 0x5EED
        func random(_ below: UInt64) -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (seed >> 33) % below
        }
        var ring = try Ring()
        var now: Int64 = 0
        /// As the verifiers see it, on the true clock.
        var firstPublished: [String: Int64] = [ring.keys.signing.key.id: 0]
        var lastSigned: [String: Int64] = [:]
        for _ in 0..<5000 {
            now += Int64(random(UInt64(3 * Self.day)))
            try ring.ask(at: now)
            let published = Set(try ids(ring.keys))
            for id in published where firstPublished[id] == nil { firstPublished[id] = now }
            let signing = ring.keys.signing.key.id
            if lastSigned[signing] == nil, ring.made > 1, signing != Self.key(1)?.id {
                #expect(now - (firstPublished[signing] ?? now) >= UserTokenKeys.noticeSeconds)
            }
            lastSigned[signing] = now
            for (id, moment) in lastSigned where now - moment <= UserTokenClaims.lifetimeSeconds { #expect(published.contains(id)) }
            #expect(published.count <= 3)
        }
        #expect(ring.made > 100)
    }

    @Test("a key that cannot be made is an error, and the keys stay as they were")
    func cannotBeMade() throws {
        struct Failed: Error {}
        let keys = try Ring().keys
        #expect(throws: Failed.self) { try keys.advanced(to: Self.start.adding(seconds: 30 * Self.day)) { throw Failed() } }
    }

    @Test("the set has the public members of each key, and nothing of the private ones")
    func published() throws {
        var ring = try Ring()
        try ring.ask(at: 28 * Self.day)
        let document = ring.keys.published
        let text = JSON.object(document).text
        #expect(!text.contains("key 1") && !text.contains(Base64URL.encode("key 1".utf8)))
        let entries = try #require(document["keys"]?.arrayValue).compactMap(\.objectValue)
        #expect(entries.count == 2)
        for entry in entries {
            #expect(Set(entry.keys) == ["kty", "crv", "x", "y", "kid", "use", "alg"])
            #expect(entry["kty"] == "EC" && entry["crv"] == "P-256" && entry["use"] == "sig" && entry["alg"] == "ES256")
        }
        // Our own reader of other people's keys takes them all.
        #expect(try KeySet(parsing: document.serialized).keys.map(\.keyID) == ids(ring.keys))
    }

    @Test("a key is named by its thumbprint, as RFC 7638 has it")
    func thumbprint() throws {
        // The key of RFC 7515 appendix A.3, whose thumbprint was computed with `joserfc`.
        let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let key = try #require(UserTokenKey(privateKeyPEM: Secret(""), x: x, y: y, cryptography: OpenSSLCryptography()))
        #expect(key.id == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
    }

    @Test("prints nothing of the private keys")
    func redacted() throws {
        let keys = try Ring().keys
        #expect(!"\(keys)".contains("key 1") && !String(reflecting: keys).contains("key 1"))
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!dumped.contains("key 1"))
    }

    private func ids(_ keys: UserTokenKeys) throws -> [String] {
        let entries = try #require(keys.published["keys"]?.arrayValue)
        return entries.compactMap { $0.objectValue?["kid"]?.stringValue }
    }
}
