import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("QR codes")
struct QRCodeTests {
    @Test(
        "a version holds as many bytes as the standard's table 7 says",
        arguments: [
            (1, QRCapacity.Correction.medium, 14), (1, .low, 17), (2, .medium, 26), (2, .low, 32), (5, .low, 106), (6, .medium, 106),
            (7, .low, 154), (8, .medium, 152), (9, .low, 230), (10, .medium, 213), (10, .low, 271),
        ])
    func capacity(version: Int, correction: QRCapacity.Correction, bytes: Int) throws {
        let capacity = try #require(QRCapacity.all.first { $0.version == version && $0.correction == correction })
        #expect(capacity.bytes == bytes)
    }

    @Test("all codewords of a version fill its modules but for the remainder bits of table 1")
    func codewords() {
        let total = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
        for capacity in QRCapacity.all {
            let blocks = capacity.blocks.reduce(0) { $0 + $1.count }
            #expect(capacity.dataCodewords + blocks * capacity.correctionCodewords == total[capacity.version - 1])
        }
    }

    @Test("the smallest version is taken, with the better correction where it fits")
    func choice() {
        func choice(_ count: Int) -> [Int]? {
            QRCapacity.smallest(for: count).map { [$0.version, $0.correction == .medium ? 1 : 0] }
        }
        #expect(choice(0) == [1, 1])
        #expect(choice(14) == [1, 1])
        #expect(choice(15) == [1, 0])
        #expect(choice(18) == [2, 1])
        #expect(choice(271) == [10, 0])
        #expect(choice(272) == nil)
        #expect(QRCode(String(repeating: "x", count: 272)) == nil)
    }

    @Test("format and version information are those of the standard's annexes C and D")
    func information() {
        #expect(QRMatrix.format(correction: .low, mask: 0) == 0b111_0111_1100_0100)
        #expect(QRMatrix.format(correction: .low, mask: 4) == 0b110_0110_0010_1111)
        #expect(QRMatrix.format(correction: .medium, mask: 0) == 0b101_0100_0001_0010)
        #expect(QRMatrix.format(correction: .medium, mask: 5) == 0b100_0000_1100_1110)
        #expect(QRMatrix.versionInformation(7) == 0x07C94)
        #expect(QRMatrix.versionInformation(10) == 0x0A4D3)
    }

    /// The example of ISO/IEC 18004 annex I is in another mode; the correction does not depend on it.
    @Test("error correction is that of the standard's example, 01234567 in version 1-M")
    func correction() {
        let data: [UInt8] = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]
        #expect(ReedSolomon.remainder(of: data, count: 10) == [165, 36, 212, 193, 237, 54, 199, 135, 44, 85])
    }

    @Test("mode, length, bytes, terminator and padding stand in this order")
    func data() throws {
        let capacity = try #require(QRCapacity.smallest(for: 2))
        #expect(
            QRCodewords.data([0xAB, 0xCD], capacity: capacity)
                == [0x40, 0x2A, 0xBC, 0xD0, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11])
        // Filled to the last bit, there is no room for padding.
        let full = QRCodewords.data([UInt8](repeating: 0xFF, count: 14), capacity: capacity)
        #expect(full.count == 16 && full.last == 0xF0)
    }

    @Test("a program that did not make them reads every version, correction and mask", arguments: QRCapacity.all.map(\.version).unique)
    func decoded(version: Int) throws {
        var texts: [String] = []
        var codes: [QRCode] = []
        for capacity in QRCapacity.all where capacity.version == version {
            for mask in 0..<8 {
                // As much as fits, one less, and something short that is mostly padding.
                let text = text(ofLength: [capacity.bytes, capacity.bytes - 1, 9][mask % 3], salt: mask)
                let code = try #require(QRCode(bytes: Array(text.utf8), correction: capacity.correction, mask: mask))
                texts.append(text)
                codes.append(code)
            }
        }
        #expect(try read(codes) == texts)
    }

    @Test("an address is read whichever mask was found best", arguments: [1, 17, 40, 60, 90, 150, 271])
    func addresses(length: Int) throws {
        let text = text(ofLength: length, salt: length)
        #expect(try read([try #require(QRCode(text))]) == [text])
    }

    // MARK: Reading

    private func text(ofLength count: Int, salt: Int) -> String {
        let characters = Array("https://provider.example/device?user_code=WDJB-MJHT&lang=en%20")
        return String((0..<count).map { characters[($0 * 7 + salt) % characters.count] })
    }

    /// What `zbarimg` (Debian: zbar-tools) reads in them.
    private func read(_ codes: [QRCode]) throws -> [String] {
        let path = try #require(
            Executable.find("zbarimg", path: "/usr/bin:/usr/local/bin"), "zbarimg is missing: apt-get install zbar-tools")
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        var texts: [String] = []
        for (number, code) in codes.enumerated() {
            try directory.write(Self.bitmap(of: code), to: "\(number).pbm")
            // One by one: in a list of files those that cannot be read leave no gap.
            let child = try ChildProcess(
                path: path,
                arguments: ["--quiet", "--nodbus", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", directory.file("\(number).pbm")],
                environment: ["HOME": directory.path], log: STDERR_FILENO)
            let output = try #require(child.collectOutput(timeout: 30_000))
            texts.append(String(output.hasSuffix("\n") ? output.dropLast() : output[...]))
        }
        return texts
    }

    /// A portable bitmap with four pixels a module.
    private static func bitmap(of code: QRCode) -> String {
        let side = code.size + 2 * QRText.quietZone
        var rows: [String] = []
        for y in 0..<side {
            let row = (0..<side).map { x in
                let (x, y) = (x - QRText.quietZone, y - QRText.quietZone)
                let isDark = 0..<code.size ~= x && 0..<code.size ~= y && code[x, y]
                return isDark ? "1111" : "0000"
            }.joined()
            rows += [row, row, row, row]
        }
        return "P1\n\(side * 4) \(side * 4)\n" + rows.joined(separator: "\n") + "\n"
    }
}

extension [Int] {
    fileprivate var unique: [Int] { Set(self).sorted() }
}
