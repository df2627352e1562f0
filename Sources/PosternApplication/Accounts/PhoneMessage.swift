import PosternCore

/// A code on its way to a phone, and what is stored about it.
struct PhoneMessage: Sendable {
    /// Generated before its recipient is known: a transaction generates nothing random.
    struct Code: Sendable {
        let code: Secret
        let salt: [UInt8]
        let now: Timestamp
        let cryptography: any Cryptography

        @DaemonActor
        init(now: Timestamp, platform: Platform) throws(AccountFailure) {
            code = SentCode.code(randomBytes: try platform.accountBytes(8))
            salt = try platform.accountBytes(16)
            self.now = now
            cryptography = platform.cryptography
        }
    }

    let number: PhoneNumber
    let code: Secret
    let kept: SentCode
    private let now: Timestamp

    init(_ code: Code, to number: PhoneNumber, factor: String) {
        self.number = number
        self.code = code.code
        now = code.now
        kept = SentCode(code.code, factor: factor, salt: code.salt, now: code.now, cryptography: code.cryptography)
    }

    @DaemonActor
    init(to number: PhoneNumber, factor: String, now: Timestamp, platform: Platform) throws(AccountFailure) {
        self.init(try Code(now: now, platform: platform), to: number, factor: factor)
    }

    /// - Throws: ``SecondFactorRefusal/tooManyMessages(seconds:)`` if too many were sent recently.
    func counted(_ accounts: borrowing AccountSnapshot) throws(AccountFailure) -> [AttemptSubject: Attempts] {
        try AttemptLimit.counting(
            messageTo: number, toNumber: try accounts.attempts(of: .message(to: number)), inAll: try accounts.attempts(of: .messages),
            now: now)
    }
}
