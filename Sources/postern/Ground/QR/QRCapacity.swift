/// The capacity of each version of a QR code, and how its codewords are divided into blocks (ISO/IEC 18004, table 9).
struct QRCapacity: Equatable {
    enum Correction: Int {
        /// The values are those of the format information (table 12).
        case medium = 0b00
        case low = 0b01
    }

    struct Blocks: Equatable {
        var count: Int
        var dataCodewords: Int
    }

    let version: Int
    let correction: Correction
    /// Error correction codewords of each block.
    let correctionCodewords: Int
    /// Short blocks first.
    let blocks: [Blocks]

    var dataCodewords: Int { blocks.reduce(0) { $0 + $1.count * $1.dataCodewords } }

    /// The length field before the bytes, in bits (table 3).
    var lengthBits: Int { version < 10 ? 8 : 16 }

    /// The bytes that fit besides the mode and the length.
    var bytes: Int { (dataCodewords * 8 - 4 - lengthBits) / 8 }

    private init(_ version: Int, _ correction: Correction, _ correctionCodewords: Int, _ blocks: (Int, Int)...) {
        self.version = version
        self.correction = correction
        self.correctionCodewords = correctionCodewords
        self.blocks = blocks.map { Blocks(count: $0.0, dataCodewords: $0.1) }
    }

    /// By version; within a version the better correction first.
    static let all = [
        QRCapacity(1, .medium, 10, (1, 16)), QRCapacity(1, .low, 7, (1, 19)),
        QRCapacity(2, .medium, 16, (1, 28)), QRCapacity(2, .low, 10, (1, 34)),
        QRCapacity(3, .medium, 26, (1, 44)), QRCapacity(3, .low, 15, (1, 55)),
        QRCapacity(4, .medium, 18, (2, 32)), QRCapacity(4, .low, 20, (1, 80)),
        QRCapacity(5, .medium, 24, (2, 43)), QRCapacity(5, .low, 26, (1, 108)),
        QRCapacity(6, .medium, 16, (4, 27)), QRCapacity(6, .low, 18, (2, 68)),
        QRCapacity(7, .medium, 18, (4, 31)), QRCapacity(7, .low, 20, (2, 78)),
        QRCapacity(8, .medium, 22, (2, 38), (2, 39)), QRCapacity(8, .low, 24, (2, 97)),
        QRCapacity(9, .medium, 22, (3, 36), (2, 37)), QRCapacity(9, .low, 30, (2, 116)),
        QRCapacity(10, .medium, 26, (4, 43), (1, 44)), QRCapacity(10, .low, 18, (2, 68), (2, 69)),
    ]

    static func smallest(for count: Int, correction: Correction? = nil) -> QRCapacity? {
        all.first { $0.bytes >= count && (correction == nil || $0.correction == correction) }
    }
}
