/// Codes computed from a shared secret: from a counter (HOTP, RFC 4226) or from the time (TOTP, RFC 6238).
public struct OneTimePassword: Sendable, Hashable {
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    public var algorithm: Algorithm
    /// 6 to 8, as RFC 4226 section 5.3 allows.
    public var digits: Int
    /// How long a code is current, in seconds; more than 0.
    public var period: Int64

    /// The only kind that every authenticator program supports; several ignore the URI's parameters and generate these codes anyway.
    public static let standard = OneTimePassword(algorithm: .sha1, digits: 6, period: 30)

    /// As long as SHA-1's result, which RFC 4226 section 4 recommends.
    public static let secretLength = 20

    /// How many steps before and after the current one are accepted: for an inaccurate clock and a user who types slowly (RFC 6238 section
    /// 5.2).
    public static let window: Int64 = 1

    /// RFC 4226 section 5.3.
    public func code(counter: UInt64, secret: Secret, cryptography: any Cryptography) -> String {
        let message = withUnsafeBytes(of: counter.bigEndian) { Array($0) }
        let key = secret.revealBytes()
        let mac =
            switch algorithm {
            case .sha1: cryptography.hmacSHA1(key: key, message: message)
            case .sha256: cryptography.hmacSHA256(key: key, message: message)
            case .sha512: cryptography.hmacSHA512(key: key, message: message)
            }
        return Self.truncated(mac, digits: digits)
    }

    /// The time step of a moment; the first one for moments before 1970.
    public func step(at moment: Timestamp) -> Int64 { max(0, moment.seconds) / period }

    /// The step of a given code, among those close to the current one.
    ///
    /// - Parameter lastUsed: the latest step whose code was accepted: it, and all before it, are used up (RFC 6238 section 5.2).
    /// - Returns: nil for a code that is wrong, too old, too new, or used.
    public func step(
        of code: Secret, secret: Secret, now: Timestamp, lastUsed: Int64?, cryptography: any Cryptography
    ) -> Int64? {
        let present = step(at: now)
        var found: Int64?
        // All of them are computed, so that the time taken does not reveal which one fits.
        for step in max(0, present - Self.window)...(present + Self.window) {
            let expected = Secret(self.code(counter: UInt64(step), secret: secret, cryptography: cryptography))
            if expected == code, step > lastUsed ?? -1 { found = found ?? step }
        }
        return found
    }

    private static func truncated(_ mac: [UInt8], digits: Int) -> String {
        let offset = Int(mac[mac.count - 1] & 15)
        let number = mac[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(1) { power, _ in power * 10 }
        return leadingZeros(UInt64(number) % UInt64(modulus), digits)
    }

    static func leadingZeros(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension OneTimePassword {
    /// How an authenticator program gets the secret, as text or as a QR code: Google's "Key Uri Format".
    ///
    /// - Parameters:
    ///   - issuer: who asks for the codes, for the user to distinguish them; without a colon.
    ///   - account: whose codes they are.
    public func provisioningURI(secret: Secret, issuer: String, account: String) -> String {
        // A colon separates the two. Half of the programs would also take a percent-encoded one for the separator.
        let account = account.keeping { $0 != ":" }
        let label = "\(PercentEncoding.encode(issuer)):\(PercentEncoding.encode(account))"
        let query = PercentEncoding.query([
            ("secret", secret.withBytes { Base32.encode($0) }), ("issuer", issuer), ("algorithm", algorithm.rawValue),
            ("digits", "\(digits)"), ("period", "\(period)"),
        ])
        return "otpauth://totp/\(label)?\(query)"
    }
}

/// RFC 4648 section 6, the format in which people type the secret of a one-time password.
public enum Base32 {
    private static let alphabet = RadixAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    /// Without padding, as authenticator programs require it.
    public static func encode(_ bytes: some Collection<UInt8>) -> String { String(decoding: alphabet.encode(bytes), as: UTF8.self) }
}
