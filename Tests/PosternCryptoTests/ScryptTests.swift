import PosternCore
import PosternCrypto
import Testing

@Suite struct ScryptTests {
    struct Vector: Sendable {
        var password: String
        var salt: String
        var cost: Int
        var blockSize: Int
        var parallelization: Int
        var beginning: String
    }

    @Test(
        "The vectors of RFC 7914 come out",
        arguments: [
            Vector(password: "", salt: "", cost: 16, blockSize: 1, parallelization: 1, beginning: "77d6576238657b203b19ca42c18a0497"),
            Vector(
                password: "password", salt: "NaCl", cost: 1024, blockSize: 8, parallelization: 16,
                beginning: "fdbabe1c9d3472007856e7190d01e9fe"),
            Vector(
                password: "pleaseletmein", salt: "SodiumChloride", cost: 16384, blockSize: 8, parallelization: 1,
                beginning: "7023bdcb3afd7348461c06cd81fd38eb"),
        ])
    func vectors(vector: Vector) throws {
        let derived = try Scrypt.derive(
            password: Secret(vector.password), salt: Array(vector.salt.utf8), cost: vector.cost, blockSize: vector.blockSize,
            parallelization: vector.parallelization, byteCount: 64)
        #expect(derived.count == 64)
        #expect(derived.withBytes { Array($0.prefix(16)) } == hex(vector.beginning))
    }

    @Test(
        "Parameters that make no sense, or ask for more memory or time than there may be, are refused",
        arguments: [
            (0, 8, 1), (1, 8, 1), (1000, 8, 1), (-1024, 8, 1), (1024, 0, 1), (1024, 8, 0), (1 << 40, 8, 1), (Int.max, 64, 64),
            (1 << 17, 8, 64), (1 << 17, 8, 5), (1 << 22, 1, 2), (1024, 8, 17), (1024, 8, -1), (1024, 8, Int.max), (1024, Int.max, 1),
        ])
    func refused(cost: Int, blockSize: Int, parallelization: Int) {
        #expect(throws: CryptoError.self) {
            try Scrypt.derive(
                password: Secret("password"), salt: [1], cost: cost, blockSize: blockSize, parallelization: parallelization, byteCount: 32)
        }
    }
}
