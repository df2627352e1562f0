/// What is stored of a code that was sent to a phone.
public struct SentCode: Sendable, Equatable {
    public static let digits = 6
    /// In seconds: as long as people need to find their phone.
    public static let lifetimeSeconds: Int64 = 300

    /// The second factor that it was sent for.
    public var factor: String
    /// Random, so that equal codes look different.
    public var salt: [UInt8]
    /// SHA-256 of the salt and the code. A million guesses find the code, so it is also sealed.
    public var hash: Secret
    public var expiresAt: Timestamp

    public init(factor: String, salt: [UInt8], hash: Secret, expiresAt: Timestamp) {
        self.factor = factor
        self.salt = salt
        self.hash = hash
        self.expiresAt = expiresAt
    }

    public init(_ code: Secret, factor: String, salt: [UInt8], now: Timestamp, cryptography: any Cryptography) {
        self.init(
            factor: factor, salt: salt, hash: Self.hash(code, salt, cryptography), expiresAt: now.adding(seconds: Self.lifetimeSeconds))
    }

    public func matches(_ code: Secret, cryptography: any Cryptography) -> Bool { Self.hash(code, salt, cryptography) == hash }

    /// - Parameter bytes: eight random ones. 2⁶⁴ is not a multiple of a million, which makes some codes likelier by less than 10⁻¹³.
    public static func code(randomBytes bytes: [UInt8]) -> Secret {
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Secret(OneTimePassword.leadingZeros(number % 1_000_000, digits))
    }

    private static func hash(_ code: Secret, _ salt: [UInt8], _ cryptography: any Cryptography) -> Secret {
        Secret(cryptography.sha256(salt + code.revealBytes()))
    }
}

extension AttemptLimit {
    /// A code is about to be sent to a phone.
    ///
    /// - Parameters:
    ///   - toNumber: recent messages to the number.
    ///   - inAll: recent messages to all numbers.
    /// - Returns: what to count, before the message is sent: one that may have been sent counts.
    public static func counting(
        messageTo number: PhoneNumber, toNumber: Attempts?, inAll: Attempts?, now: Timestamp
    ) throws(AccountFailure) -> [AttemptSubject: Attempts] {
        try counting([(.message(to: number), .messagesToOneNumber, toNumber), (.messages, .messagesInAll, inAll)], now: now) {
            .secondFactor(.tooManyMessages(seconds: $0))
        }
    }
}
