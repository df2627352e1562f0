@testable import PosternCore
import PosternCrypto
import Testing

@Suite("Whether a code is right, and what a wrong one costs")
struct CodeCheckTests {
    private static let cryptography = OpenSSLCryptography()
    private static let now = Timestamp(seconds: 1_800_000_010)
    private static let secret = Secret("12345678901234567890")
    private static let subject = AttemptSubject.secondFactor(uid: "ada")

    private static func challenge(wrong: Int = 0, sent: SentCode? = nil) -> CodeChallenge {
        CodeChallenge(
            id: Secret("id"), uid: "ada", generation: 0, app: "app", purpose: .password(.signIn), expiresAt: now.adding(seconds: 600), wrongCodes: wrong,
            sent: sent)
    }

    private static func totp(
        _ code: String? = nil, challenge: CodeChallenge = challenge(), lastStep: Int64? = nil, attempts: Attempts? = nil
    ) -> (CodeCheck.Verdict, AccountChanges) {
        let right = OneTimePassword.standard.code(
            counter: UInt64(OneTimePassword.standard.step(at: now)), secret: secret, cryptography: cryptography)
        let request = CodeCheck(
            code: Secret(code ?? right), challenge: challenge, factor: SecondFactor(kind: .totp, uid: "1", enrolledAt: now),
            key: FactorKey(secret: secret, lastStep: lastStep), attempts: attempts, now: now)
        return request.verdict(cryptography: cryptography)
    }

    private static func phone(
        _ code: String, sentFor factor: String? = "1", secondsAgo: Int64 = 0, wrong: Int = 0
    ) -> (CodeCheck.Verdict, AccountChanges) {
        let sent = factor.map {
            SentCode(
                Secret("000001"), factor: $0, salt: [1], now: now.adding(seconds: -secondsAgo), cryptography: cryptography)
        }
        let request = CodeCheck(
            code: Secret(code), challenge: challenge(wrong: wrong, sent: sent),
            factor: SecondFactor(kind: .phone, uid: "1", phoneNumber: "+819012345678", enrolledAt: now), key: nil, attempts: nil, now: now)
        return request.verdict(cryptography: cryptography)
    }

    @Test("A right code uses itself and the challenge up, and clears what was counted")
    func right() {
        let step = OneTimePassword.standard.step(at: Self.now)
        let (verdict, changes) = Self.totp(attempts: Attempts(count: 9, since: Self.now))
        #expect(verdict == .right(step: step))
        #expect(changes.deleteChallenge == Secret("id") && changes.upsertChallenge == nil)
        #expect(changes.usedSteps == ["1": step])
        #expect(changes.attempts == [Self.subject: Attempts(count: 0, since: Self.now)])
    }

    @Test("A code that was taken before is a wrong one")
    func replayed() {
        let (verdict, changes) = Self.totp(lastStep: OneTimePassword.standard.step(at: Self.now))
        #expect(verdict == .refused(.wrongCode(triesLeft: 4)))
        #expect(changes.usedSteps.isEmpty && changes.deleteChallenge == nil)
    }

    @Test("Wrong codes are counted, and with the fifth the challenge is gone", arguments: 0...4)
    func wrong(before: Int) {
        let (verdict, changes) = Self.totp("x", challenge: Self.challenge(wrong: before))
        #expect(changes.attempts == [Self.subject: Attempts(count: 1, since: Self.now)])
        if before < 4 {
            #expect(verdict == .refused(.wrongCode(triesLeft: 4 - before)))
            #expect(changes.upsertChallenge?.wrongCodes == before + 1 && changes.deleteChallenge == nil)
        } else {
            #expect(verdict == .refused(.noTriesLeft(seconds: 0)))
            #expect(changes.deleteChallenge == Secret("id") && changes.upsertChallenge == nil)
        }
    }

    @Test("After ten wrong codes in all, a right one is not looked at either, and nothing is counted")
    func manyChallenges() {
        let (verdict, changes) = Self.totp(attempts: Attempts(count: 10, since: Self.now))
        #expect(verdict == .refused(.tooManyWrongCodes(seconds: 1800)))
        #expect(changes == AccountChanges())
        let (last, _) = Self.totp("x", challenge: Self.challenge(wrong: 4), attempts: Attempts(count: 9, since: Self.now))
        #expect(last == .refused(.noTriesLeft(seconds: 1800)))
    }

    @Test("A code that was sent is right for five minutes, for the phone that it was sent to")
    func sent() {
        #expect(Self.phone("000001").0 == .right(step: nil))
        #expect(Self.phone("000001").1.deleteChallenge == Secret("id"))
        #expect(Self.phone("000002").0 == .refused(.wrongCode(triesLeft: 4)))
        #expect(Self.phone("000001", secondsAgo: 299).0 == .right(step: nil))
        #expect(Self.phone("000002", wrong: 4).0 == .refused(.noTriesLeft(seconds: 0)))
    }

    @Test("Where no code can be right, none is counted as wrong")
    func uncounted() {
        for (outcome, refusal) in [
            (Self.phone("000001", sentFor: nil), SecondFactorRefusal.codeNotSent), (Self.phone("000001", sentFor: "2"), .codeNotSent),
            (Self.phone("000001", secondsAgo: 300), .codeExpired), (Self.phone("000002", secondsAgo: 300), .codeExpired),
        ] {
            #expect(outcome.0 == .refused(refusal))
            #expect(outcome.1 == AccountChanges())
        }
    }

    @Test("Messages are limited to one number, and in all")
    func messages() throws {
        let number = try #require(PhoneNumber("+819012345678"))
        func counted(_ toNumber: Int64, _ inAll: Int64) throws(AccountFailure) -> [AttemptSubject: Attempts] {
            try AttemptLimit.counting(
                messageTo: number, toNumber: Attempts(count: toNumber, since: Self.now), inAll: Attempts(count: inAll, since: Self.now),
                now: Self.now)
        }
        #expect(try counted(4, 19)[.message(to: number)]?.count == 5)
        #expect(try counted(4, 19)[.messages]?.count == 20)
        #expect(throws: AccountFailure.secondFactor(.tooManyMessages(seconds: 600))) { try counted(5, 0) }
        #expect(throws: AccountFailure.secondFactor(.tooManyMessages(seconds: 180))) { try counted(0, 20) }
        #expect(throws: AccountFailure.secondFactor(.tooManyMessages(seconds: 600))) { try counted(5, 20) }
    }
}
