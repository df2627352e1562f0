/// Which passwords a user may have.
///
/// Firebase's minimum, so that no program is refused what it took elsewhere, and what is guessed first. Which characters it is made
/// of is nobody's business (NIST SP 800-63B section 5.1.1.2).
public enum PasswordRules {
    /// Of the passphrase that opens a store, in bytes.
    public static let longestPassphrase = 1024

    /// Firebase's.
    public static let fewestCharacters = 6
    /// Bounds the work; nobody types more.
    public static let mostBytes = 1024

    /// - Parameters:
    ///   - password: bytes as they came. Unicode has several forms of one text, and bringing them to one (NFKC, as NIST has it) is not
    ///     done: the standard library has no such thing. Programs on one machine take their text from one keyboard.
    ///   - email: in lower case.
    /// - Returns: nil if it may be taken.
    public static func weakness(of password: Secret, email: String?, displayName: String?) -> PasswordWeakness? {
        guard !password.isEmpty else { return .empty }
        guard password.count <= mostBytes else { return .tooLong }
        let text = password.reveal().lowercased()
        guard text.count >= fewestCharacters else { return .tooShort }
        let mailbox = email.map { String($0.prefix { $0 != "@" }) }
        if [email, mailbox, displayName].contains(where: { $0?.lowercased() == text }) { return .equalsName }
        return common.contains(text) ? .common : nil
    }

    /// Whether it can be a user's at all: whatever cannot is wrong without looking.
    public static func canBeRight(_ password: Secret) -> Bool { (1...mostBytes).contains(password.count) }

    /// Of the lists that guessers begin with, what has six characters and more.
    private static let common: Set<String> = [
        "000000", "0123456789", "111111", "11111111", "112233", "121212", "123123", "123123123", "123321", "1234567890", "123456",
        "1234567", "12345678", "123456789", "12345678910", "1234qwer", "123abc", "123qwe", "147258369", "1q2w3e", "1q2w3e4r",
        "1q2w3e4r5t", "1qaz2wsx", "222222", "555555", "654321", "666666", "696969", "777777", "7777777", "888888", "88888888",
        "987654321", "999999", "a123456", "a12345678", "aa123456", "abc123", "abcd1234", "abcdef", "access", "admin123",
        "administrator", "asdasd", "asdfgh", "asdfghjkl", "azerty", "baseball", "changeme", "charlie", "computer", "daniel", "dragon",
        "football", "freedom", "google", "hello123", "iloveyou", "internet", "jordan", "letmein", "login123", "master", "michael",
        "michelle", "monkey", "mustang", "passw0rd", "password", "password1", "password12", "password123", "pokemon", "princess",
        "qazwsx", "qwe123", "qwerty", "qwerty1", "qwerty12", "qwerty123", "qwertyuiop", "qwertz", "secret", "shadow", "starwars",
        "sunshine", "superman", "target123", "trustno1", "welcome", "welcome1", "whatever", "zaq12wsx", "zxcvbn", "zxcvbnm",
    ]
}

/// How often passwords were tried, for one address and in all.
public struct PasswordAttempts: Sendable, Equatable {
    public var ofAddress: Attempts?
    public var inAll: Attempts?

    public init(ofAddress: Attempts?, inAll: Attempts?) {
        self.ofAddress = ofAddress
        self.inAll = inAll
    }

    /// One more is about to be looked at. It counts before it is known to be wrong, so that many at once do not slip through.
    public func counted(email: String, now: Timestamp) throws(AccountFailure) -> [AttemptSubject: Attempts] {
        let waits = [
            AttemptLimit.passwordsOfOneAddress.wait(after: ofAddress, now: now), AttemptLimit.passwordsInAll.wait(after: inAll, now: now),
        ]
        if let wait = waits.compactMap(\.self).max() { throw .password(.tooManyAttempts(retryAfterSeconds: wait)) }
        return [
            .password(email: email): AttemptLimit.passwordsOfOneAddress.adding(to: ofAddress, now: now),
            .passwords: AttemptLimit.passwordsInAll.adding(to: inAll, now: now),
        ]
    }

    /// It was right: those for the address are forgotten, and of those in all this one. A user of the guesser's own does not wipe the rest.
    public func succeeded(email: String, now: Timestamp) -> [AttemptSubject: Attempts] {
        var inAll = AttemptLimit.passwordsInAll.remaining(inAll, now: now)
        inAll.count = max(0, inAll.count - 1)
        return [.password(email: email): Attempts(count: 0, since: now), .passwords: inAll]
    }
}

/// Why a password, or what came with it, is not taken. Each case is one error of the interface.
public enum PasswordRefusal: Error, Sendable, Hashable {
    case invalidEmail
    /// A user who is to have a password has no address that it could go with.
    case addressMissing
    case weakPassword(PasswordWeakness)
    case wrongPassword
    /// Too many were tried, or too many wait to be looked at.
    case tooManyAttempts(retryAfterSeconds: Int64)
}

/// What is wrong with a password that somebody wants to have.
public enum PasswordWeakness: Sendable, Hashable, CaseIterable {
    case empty
    case tooShort
    case tooLong
    /// It is the address, what stands before the `@`, or the name.
    case equalsName
    case common
}

extension PasswordWeakness: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is none"
        case .tooShort: "it has fewer than \(PasswordRules.fewestCharacters) characters"
        case .tooLong: "it has more than \(PasswordRules.mostBytes) bytes"
        case .equalsName: "it is the user's address or name"
        case .common: "it is one of the commonest passwords"
        }
    }
}
