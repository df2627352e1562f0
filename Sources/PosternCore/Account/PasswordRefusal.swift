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
