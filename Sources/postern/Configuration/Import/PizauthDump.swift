import PosternClient

/// The output of `pizauth dump`: a nonce, and its state encrypted with a key that everybody knows.
///
/// The state is encoded with bincode 1 (integers little-endian and of full width, lengths in 8 bytes, enum variants in 4), as in pizauth 1;
/// a dump that does not match this format to the last byte is refused.
enum PizauthDump {
    private static let key: [UInt8] = [
        0x66, 0xA2, 0x47, 0xA8, 0x5E, 0x48, 0xCF, 0xEC, 0xAA, 0xED, 0x9B, 0x36, 0xEB, 0xA9, 0x7D, 0x53, 0x50, 0xD4, 0x28, 0x63, 0x75, 0x09,
        0x7A, 0x44, 0xEE, 0xFF, 0xB9, 0xC4, 0x54, 0x6B, 0x65, 0xA3,
    ]

    static func accounts(in dump: [UInt8]) throws(ForeignFileError) -> [ForeignAccount] {
        guard dump.count > 28, let plain = ChaCha20Poly1305.open(Array(dump.dropFirst(12)), key: key, nonce: Array(dump.prefix(12))) else {
            throw ForeignFileError("it is neither a configuration nor a dump of pizauth")
        }
        var reader = Reader(bytes: plain)
        let version = try reader.number(8)
        guard version == 1 else { throw ForeignFileError("it is a dump of the version \(version), but only 1 is supported") }
        var accounts: [ForeignAccount] = []
        for _ in 0..<(try reader.count(most: PizauthConfiguration.mostAccounts)) { accounts.append(try account(&reader)) }
        guard reader.isAtEnd else { throw Reader.unknownForm }
        return accounts.sorted { $0.name < $1.name }
    }

    private static func account(_ reader: inout Reader) throws(ForeignFileError) -> ForeignAccount {
        var account = ForeignAccount(name: try reader.text())
        let authorization = try reader.text()
        for _ in 0..<(try reader.count(most: 64)) {
            let (key, value) = (try reader.text(), try reader.text())
            if key == "login_hint" { account.login = value }
        }
        account.clientID = try reader.text()
        account.clientSecret = try reader.optionalText().map { Secret($0) }
        _ = try reader.text()
        for _ in 0..<(try reader.count(most: 256)) { account.scopes.append(try reader.text()) }
        account.provider = ForeignProvider(authorization: authorization, token: try reader.text())
        switch try reader.number(4) {
        case 0: break
        case 1:
            _ = try reader.text()
            // When the access token was obtained, and when it expires: seconds and nanoseconds each.
            for width in [8, 4, 8, 4] { _ = try reader.number(width) }
            account.refreshToken = try reader.optionalText().map { Secret($0) }
        default: throw Reader.unknownForm
        }
        return account
    }

    private struct Reader {
        let bytes: [UInt8]
        private var place = 0

        static let unknownForm = ForeignFileError(
            "this dump has an unknown format; give pizauth's configuration instead, and sign in once")

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { place == bytes.count }

        mutating func number(_ width: Int) throws(ForeignFileError) -> UInt64 {
            guard bytes.count - place >= width else { throw Self.unknownForm }
            defer { place += width }
            var number: UInt64 = 0
            for byte in bytes[place..<place + width].reversed() { number = number << 8 | UInt64(byte) }
            return number
        }

        mutating func count(most: Int) throws(ForeignFileError) -> Int {
            guard let count = Int(exactly: try number(8)), count <= most else { throw Self.unknownForm }
            return count
        }

        mutating func text() throws(ForeignFileError) -> String {
            let count = try count(most: bytes.count - place)
            guard bytes.count - place >= count, let text = String(validating: bytes[place..<place + count], as: UTF8.self) else {
                throw Self.unknownForm
            }
            place += count
            return text
        }

        mutating func optionalText() throws(ForeignFileError) -> String? {
            switch try number(1) {
            case 0: return nil
            case 1: return try text()
            default: throw Self.unknownForm
            }
        }
    }
}
