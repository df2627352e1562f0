import PosternCrypto

/// A certificate and its key, as files.
public struct TestCertificate: Sendable {
    public var certificateFile: String
    public var keyFile: String

    public enum Kind: String, CaseIterable, Sendable {
        case good, expired, notYetValid, selfSigned, unknownAuthority, wrongHost, clientOnly, commonNameOnly
        /// RSA with 1024 bits, which `TLSContext.server` refuses by itself.
        case weakKey

        /// Those that a server can show and no client may take.
        public static let hostile = allCases.filter { $0 != .good && $0 != .weakKey }

        var period: (start: String, end: String) {
            switch self {
            case .expired: ("20200101000000Z", "20200201000000Z")
            case .notYetValid: ("20900101000000Z", "20910101000000Z")
            default: ("20200101000000Z", "20900101000000Z")
            }
        }

        /// What a client says of it.
        public var expectedCode: TLSError.Code? {
            switch self {
            case .good: nil
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .selfSigned: .selfSigned
            case .unknownAuthority: .unknownAuthority
            case .wrongHost, .commonNameOnly: .hostNameMismatch
            case .weakKey, .clientOnly: .certificateRefused
            }
        }
    }
}
