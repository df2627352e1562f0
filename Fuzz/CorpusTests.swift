import Foundation
import Testing

/// The seeds of the fuzzer, and each of them cut short: nothing traps. Each is read by its own target.
@Suite("The corpus of the fuzzer")
struct CorpusTests {
    static let targets: [String: @Sendable ([UInt8]) -> Void] = [
        "bridge": Fuzz.bridge, "callback": Fuzz.callback, "challenge": Fuzz.challenge, "idtoken": Fuzz.idtoken, "json": Fuzz.json,
        "redirect": Fuzz.redirect, "resource": Fuzz.resource, "signed-answer": Fuzz.signedAnswer, "token-answer": Fuzz.tokenAnswer,
        "toml": Fuzz.toml, "varlink": Fuzz.varlink,
    ]
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "corpus")

    @Test("each target has seeds, and each folder of seeds a target")
    func names() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(folders.sorted() == Self.targets.keys.sorted())
    }

    @Test("no seed is a finding, whole or cut", arguments: targets.keys.sorted())
    func replay(target: String) throws {
        let check = try #require(Self.targets[target])
        let seeds = try FileManager.default.contentsOfDirectory(at: Self.corpus.appending(path: target), includingPropertiesForKeys: nil)
        #expect(!seeds.isEmpty)
        for seed in seeds {
            let bytes = Array(try Data(contentsOf: seed))
            for length in 0...bytes.count { check(Array(bytes[..<length])) }
        }
    }
}
