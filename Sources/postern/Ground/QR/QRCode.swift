/// A QR code of some bytes (ISO/IEC 18004): byte mode, versions 1 to 10, error correction L or M.
///
/// Enough for the address of a page with a code in it. docs/inside/decisions/qr-code.md says why it is made here.
struct QRCode: Equatable {
    /// Modules along one side, 17 + 4 × version, without the quiet zone.
    let size: Int
    private let dark: [Bool]

    /// True if the module is dark.
    subscript(x: Int, y: Int) -> Bool { dark[y * size + x] }

    /// The smallest code for the text, with the better correction if it does not need a larger one.
    ///
    /// - Returns: nil for more than 271 bytes.
    init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// - Parameters:
    ///   - correction: nil chooses.
    ///   - mask: one of the eight patterns; nil chooses the most readable one (section 7.8.3).
    init?(bytes: [UInt8], correction: QRCapacity.Correction? = nil, mask: Int? = nil) {
        guard let capacity = QRCapacity.smallest(for: bytes.count, correction: correction) else { return nil }
        let codewords = QRCodewords.interleaved(bytes, capacity: capacity)
        var matrix = QRMatrix(version: capacity.version)
        matrix.place(codewords)
        let masked = (mask.map { [$0] } ?? Array(0..<8)).map { pattern in
            matrix.masked(pattern, correction: capacity.correction)
        }
        guard let best = masked.min(by: { QRPenalty.score(of: $0) < QRPenalty.score(of: $1) }) else { return nil }
        size = best.size
        dark = best.dark
    }
}
