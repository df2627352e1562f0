import PosternCore
import Testing

@Suite("Passwords and addresses")
struct PasswordRulesTests {
    @Test(
        "a password that is guessed first is refused, and told why",
        arguments: [
            ("", .empty), ("12345", .tooShort), ("日本語", .tooShort), ("ada@example.com", .equalsName), ("ADA@example.com", .equalsName),
            ("Countess", .equalsName), ("123456", .common), ("PassWord", .common), ("qwerty123", .common),
            ("correct horse", nil), ("パスワードですよ", nil), ("      ", nil), ("ada@example.org", nil),
        ] as [(String, PasswordWeakness?)])
    func weakness(password: String, weakness: PasswordWeakness?) {
        #expect(PasswordRules.weakness(of: Secret(password), email: "ada@example.com", displayName: "Countess") == weakness)
    }

    @Test("a mailbox's name is no password, however long")
    func mailbox() {
        #expect(PasswordRules.weakness(of: Secret("Lovelace"), email: "lovelace@example.com", displayName: nil) == .equalsName)
    }

    @Test(
        "a password has at most 1024 bytes, whatever letters they are",
        arguments: [(1024, nil), (1025, .tooLong)] as [(Int, PasswordWeakness?)])
    func length(bytes: Int, weakness: PasswordWeakness?) {
        let password = Secret([UInt8](repeating: 0xE9, count: bytes))
        #expect(PasswordRules.weakness(of: password, email: nil, displayName: nil) == weakness)
        #expect(PasswordRules.canBeRight(password) == (weakness == nil))
        #expect(!PasswordRules.canBeRight(Secret("")))
    }

    @Test(
        "an address is lowered and otherwise taken as it is, or not at all",
        arguments: [
            ("ada@example.com", "ada@example.com"), ("ADA@Example.COM", "ada@example.com"), ("a+tag@b", "a+tag@b"), ("Ö@example.com", "Ö@example.com"),
            ("\u{212A}@example.com", "\u{212A}@example.com"),
            ("", nil), ("ada", nil), ("@", nil), ("ada@", nil), ("@example.com", nil), ("a@b@c", nil), (" ada@example.com", nil),
            ("ada@example.com ", nil), ("ada@example.com\n", nil), ("a da@example.com", nil), ("ada\u{A0}@example.com", nil),
            ("ada\u{202E}@example.com", nil), ("ada\u{0}@example.com", nil), (String(repeating: "a", count: 250) + "@b.c", "aaa"),
            (String(repeating: "a", count: 251) + "@b.c", nil),
        ] as [(String, String?)])
    func address(text: String, expected: String?) {
        let address = EmailAddress.normalized(text)
        if expected == "aaa" { #expect(address?.utf8.count == 254) } else { #expect(address == expected) }
    }

    @Test("two forms of one letter make two addresses")
    func forms() {
        #expect(!EmailAddress.isSame("\u{E9}@example.com", "e\u{301}@example.com"))
        #expect(EmailAddress.isSame("a@b", "a@b") && EmailAddress.isSame(nil, nil) && !EmailAddress.isSame("a@b", nil))
    }

    @Test(
        "a name neither moves the cursor nor turns the text around",
        arguments: [
            ("Ada", true), ("", true), ("علی\u{200C}رضا", true), ("👩\u{200D}💻", true), ("a\nb", false), ("a\u{1B}[31m", false), ("\u{202E}a", false),
            ("a\u{0}", false), (String(repeating: "a", count: 255), true), (String(repeating: "a", count: 256), false),
        ])
    func name(text: String, isTaken: Bool) { #expect(ProfileRules.isName(text) == isTaken) }

    @Test(
        "a photo is on the web",
        arguments: [
            ("https://example.com/a.png", true), ("HTTP://example.com", true), ("data:image/png;base64,AA", false),
            ("javascript:alert(1)", false),
            ("", false), ("https://example.com/a b", false), ("https://example.com/\u{E9}", false),
            ("https://" + String(repeating: "a", count: 2040), true), ("https://" + String(repeating: "a", count: 2041), false),
        ])
    func photo(text: String, isTaken: Bool) { #expect(ProfileRules.isPhotoURL(text) == isTaken) }

    @Test("less memory or less work is weaker, and nothing overflows")
    func parameters() {
        let now = PasswordHash.Parameters(cost: 1 << 15, blockSize: 8, parallelization: 3)
        #expect(!now.isWeaker(than: now))
        #expect(PasswordHash.Parameters(cost: 1 << 14, blockSize: 8, parallelization: 6).isWeaker(than: now))
        #expect(PasswordHash.Parameters(cost: 1 << 15, blockSize: 8, parallelization: 2).isWeaker(than: now))
        #expect(!PasswordHash.Parameters(cost: .max, blockSize: .max, parallelization: .max).isWeaker(than: now))
    }

    // MARK: Guessing

    let now = Timestamp(seconds: 1_800_000_000)

    @Test("ten guesses at an address are free, then one every five minutes; a right one wipes them")
    func guessing() throws {
        var kept = PasswordAttempts(ofAddress: nil, inAll: nil)
        func store(_ attempts: [AttemptSubject: Attempts]) {
            kept = PasswordAttempts(ofAddress: attempts[.password(email: "a@b")], inAll: attempts[.passwords])
        }
        for _ in 0..<10 { store(try kept.counted(email: "a@b", now: now)) }
        #expect(throws: AccountFailure.password(.tooManyAttempts(retryAfterSeconds: 300))) { try kept.counted(email: "a@b", now: now) }
        #expect(throws: AccountFailure.password(.tooManyAttempts(retryAfterSeconds: 1))) {
            try kept.counted(email: "a@b", now: now.adding(seconds: 299))
        }
        let later = now.adding(seconds: 300)
        store(try kept.counted(email: "a@b", now: later))
        #expect(throws: AccountFailure.self) { try kept.counted(email: "a@b", now: later) }
        // A clock that was set back shuts nobody out for longer than one wait.
        #expect(throws: AccountFailure.password(.tooManyAttempts(retryAfterSeconds: 300))) {
            try kept.counted(email: "a@b", now: now.adding(seconds: -86_400))
        }
        let inAll = kept.inAll?.count
        store(kept.succeeded(email: "a@b", now: later))
        #expect(kept.ofAddress?.count == 0)
        #expect(kept.inAll?.count == inAll.map { $0 - 1 })
        _ = try kept.counted(email: "a@b", now: later)
    }

    @Test("trying one password at many addresses is limited too, and a success at one address does not reset that")
    func spraying() throws {
        var inAll: Attempts?
        for number in 0..<100 {
            inAll = try PasswordAttempts(ofAddress: nil, inAll: inAll).counted(email: "\(number)@b", now: now)[.passwords]
        }
        let full = PasswordAttempts(ofAddress: nil, inAll: inAll)
        #expect(throws: AccountFailure.password(.tooManyAttempts(retryAfterSeconds: 60))) { try full.counted(email: "new@b", now: now) }
        #expect(full.succeeded(email: "own@b", now: now)[.passwords]?.count == 99)
    }
}
