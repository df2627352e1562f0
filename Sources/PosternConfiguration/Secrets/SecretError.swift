/// Why a secret could not be had. The sentence names the place, never what was found there.
public struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case fileUnreadable
        case fileExposed
        case noCredentialsDirectory
        case commandNotStarted
        case commandFailed
        case commandTimedOut
        case tooLong
        case variableNotSet
        case empty
        case controlCharacter
    }

    public var reason: Reason
    /// Safe for any client and any log.
    public var description: String

    public init(reason: Reason, description: String) {
        self.reason = reason
        self.description = description
    }
}
