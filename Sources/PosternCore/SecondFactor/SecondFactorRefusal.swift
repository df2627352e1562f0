/// Why something about second factors is not done. Nothing but what is counted has changed then.
public enum SecondFactorRefusal: Error, Sendable, Hashable {
    /// Firebase's UNSUPPORTED_FIRST_FACTOR.
    case anonymousUser
    /// Firebase's UNVERIFIED_EMAIL, where only the authority verifies: whoever squats an address must not lock its owner out.
    case unprovedAddress(String?)
    /// The number, or an authenticator program.
    case alreadyEnrolled(SecondFactor.Kind)
    /// Firebase's SECOND_FACTOR_LIMIT_EXCEEDED.
    case limitReached(Int)
    /// The user has none with that uid.
    case noSuchFactor
    /// Its codes are made by the user's own program.
    case notATelephone
    /// Unknown, expired, used, or another's.
    case noResolver
    case noEnrolment
    /// No code can be sent to any phone, and why; nil if the configuration names no way.
    case telephonesOutOfReach(problem: String?)
    /// The code may have been sent anyway.
    case messageNotSent(problem: String)
    case invalidPhoneNumber
    /// The user was deleted since the first factor was given.
    case userDeleted
    /// Since the first factor was given the account was changed, so that this is not the user's any more.
    case accountChanged
    case wrongCode(triesLeft: Int)
    case codeNotSent
    case codeExpired
    /// The last try of this challenge is gone.
    case noTriesLeft(seconds: Int64)
    /// Wrong codes of late, over all sign-ins.
    case tooManyWrongCodes(seconds: Int64)
    case tooManyMessages(seconds: Int64)
}
