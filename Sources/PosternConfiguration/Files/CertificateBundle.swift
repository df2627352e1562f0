/// The certificates of a PEM file, and nothing else that is in it: a key that somebody keeps beside them stays where it is.
public struct CertificateBundle: Sendable {
    /// More than the bundle of a whole system has, which is a quarter of it.
    private static let limit = 1 << 20

    public let text: String

    public init(file path: String) throws(CertificateBundleError) {
        do throws(BoundedFile.Failure) {
            text = Self.certificates(in: try BoundedFile(path: path, limit: Self.limit).bytes)
        } catch { throw CertificateBundleError(description: "the ca-file '\(path)' \(error.sentence)") }
        guard !text.isEmpty else { throw CertificateBundleError(description: "the ca-file '\(path)' has no certificate in PEM") }
    }

    /// The blocks from `-----BEGIN …CERTIFICATE-----` to the end of each.
    static func certificates(in bytes: [UInt8]) -> String {
        var (kept, block): ([UInt8], [UInt8]?) = ([], nil)
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.starts(with: "-----BEGIN ".utf8) { block = endsInCertificate(line) ? [] : nil }
            guard block != nil else { continue }
            block?.append(contentsOf: line + [0x0A])
            if line.starts(with: "-----END ".utf8) {
                kept += block ?? []
                block = nil
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func endsInCertificate(_ line: ArraySlice<UInt8>) -> Bool {
        line.reversed().drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "CERTIFICATE-----".utf8.reversed())
    }
}

/// Why a file of certificates cannot be used, as a sentence.
public struct CertificateBundleError: Error, Sendable, CustomStringConvertible {
    public var description: String
}
