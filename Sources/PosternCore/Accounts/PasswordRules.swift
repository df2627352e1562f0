/// Which passwords a user may have.
///
/// Firebase's minimum, so that no password that other systems accept is refused, and a list of the most guessed ones. There are no rules
/// about characters (NIST SP 800-63B section 5.1.1.2).
public enum PasswordRules {
    /// The longest passphrase of a store, in bytes.
    public static let longestPassphrase = 1024

    /// Firebase's.
    public static let fewestCharacters = 6
    /// Limits the work; nobody types more.
    public static let mostBytes = 1024

    /// - Parameters:
    ///   - password: bytes, unchanged. Unicode has several forms of one text, and they are not normalised (NFKC, as NIST recommends): the
    ///     standard library cannot do it. Programs on one machine take their text from one keyboard.
    ///   - email: in lower case.
    /// - Returns: nil if it is allowed.
    public static func weakness(of password: Secret, email: String?, displayName: String?) -> PasswordWeakness? {
        guard !password.isEmpty else { return .empty }
        guard password.count <= mostBytes else { return .tooLong }
        let text = password.reveal().lowercased()
        guard text.count >= fewestCharacters else { return .tooShort }
        let mailbox = email.map { String($0.before { $0 == "@" }) }
        if [email, mailbox, displayName].contains(where: { $0?.lowercased() == text }) { return .equalsName }
        return common.contains(text) ? .common : nil
    }

    /// Whether it can be a user's at all: otherwise it is wrong without checking.
    public static func canBeRight(_ password: Secret) -> Bool { (1...mostBytes).contains(password.count) }

    /// From lists that guessers begin with, the passwords of six characters and more.
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

/// How often passwords were tried, per address and in total.
public struct PasswordAttempts: Sendable, Equatable {
    public var ofAddress: Attempts?
    public var inAll: Attempts?

    public init(ofAddress: Attempts?, inAll: Attempts?) {
        self.ofAddress = ofAddress
        self.inAll = inAll
    }

    /// Another one is about to be checked. It is counted before it is known to be wrong, so that many at once cannot slip through.
    public func counted(email: String, now: Timestamp) throws(AccountFailure) -> [AttemptSubject: Attempts] {
        try AttemptLimit.counting(
            [(.password(email: email), .passwordsOfOneAddress, ofAddress), (.passwords, .passwordsInAll, inAll)], now: now
        ) { .password(.tooManyAttempts(retryAfterSeconds: $0)) }
    }

    /// It was right: the address's count is reset, and the total is reduced by this one. A guesser's own user does not reset the rest.
    public func succeeded(email: String, now: Timestamp) -> [AttemptSubject: Attempts] {
        var inAll = AttemptLimit.passwordsInAll.remaining(inAll, now: now)
        inAll.count = max(0, inAll.count - 1)
        return [.password(email: email): Attempts(count: 0, since: now), .passwords: inAll]
    }
}

/// Why a password, or what came with it, is refused. Each case is one error of the interface.
public enum PasswordRefusal: Error, Sendable, Hashable {
    case invalidEmail
    /// A user who is to get a password has no address to go with it.
    case addressMissing
    case weakPassword(PasswordWeakness)
    case wrongPassword
    /// Too many were tried, or too many wait to be checked.
    case tooManyAttempts(retryAfterSeconds: Int64)
}

/// What is wrong with a new password.
public enum PasswordWeakness: Sendable, Hashable, CaseIterable {
    case empty
    case tooShort
    case tooLong
    /// It is the address, the part before the `@`, or the name.
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
