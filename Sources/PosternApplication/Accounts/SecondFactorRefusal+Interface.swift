import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a refusal about second factors is reported on the socket.
    ///
    /// The interface has fewer errors than Firebase: an address that is not verified is an ``invalidEmail(message:)``, a sixth factor a
    /// ``secondFactorAlreadyEnrolled(message:)``, and anything unknown or unsuitable an ``invalidCredential(message:)``.
    init(_ refusal: SecondFactorRefusal) {
        switch refusal {
        case .anonymousUser:
            self = .invalidCredential(message: "an anonymous user cannot have a second factor; link a provider or a password first")
        case .unprovedAddress(nil):
            self = .invalidEmail(
                message:
                    "a second factor needs an address that a provider trusted for it (trust-email) has verified, but this user has no "
                    + "address; link an account of such a provider")
        case .unprovedAddress(let email?):
            self = .invalidEmail(
                message: "a second factor needs an address that a provider trusted for it (trust-email) has verified, and none has "
                    + "verified \(email); sign in with, or link, an account of such a provider")
        case .alreadyEnrolled(.totp):
            self = .secondFactorAlreadyEnrolled(message: "the user already has an authenticator app; remove that one first")
        case .alreadyEnrolled(.phone):
            self = .secondFactorAlreadyEnrolled(message: "this number is already a second factor of the user")
        case .limitReached(let limit):
            self = .secondFactorAlreadyEnrolled(message: "the user has \(limit) second factors, the maximum; remove one first")
        case .noSuchFactor:
            self = .invalidCredential(
                message: "the user has no second factor with this uid; list them with: postern second-factor list")
        case .notATelephone:
            self = .invalidCredential(message: "no code is sent for this second factor; the app shows one")
        case .noResolver:
            self = .invalidCredential(
                message: "the resolver is unknown, expired or used; it is valid once, for ten minutes: sign in again")
        case .noEnrolment:
            self = .invalidCredential(
                message: "the enrollment is unknown, expired or used, or it is another app's or user's; enroll the second factor again")
        case .telephonesOutOfReach(nil):
            self = .providerNotConfigured(
                message: "codes cannot be sent to phones; put command = […] or gateway = \"https://…\" under [second-factor.phone] "
                    + "in the configuration", providerID: Self.phoneID)
        case .telephonesOutOfReach(let problem?):
            self = .providerNotConfigured(message: "codes cannot be sent to phones: \(problem)", providerID: Self.phoneID)
        case .messageNotSent(let problem):
            self = .providerUnreachable(
                message: "the code could not be sent: \(problem); try again, or use another second factor", providerID: Self.phoneID)
        case .invalidPhoneNumber:
            self = .invalidCredential(
                message: "phoneNumber must be a phone number in its international form: a plus sign, the country code and the "
                    + "number, without spaces, as in +819012345678")
        case .userDeleted:
            self = .userNotFound(message: "the user was deleted during the sign-in; sign in again")
        case .accountChanged:
            self = .invalidCredential(message: "the account was changed since the sign-in began; sign in again")
        case .wrongCode(let triesLeft):
            self = .invalidVerificationCode(
                message: "the code is wrong, too old or used; \(triesLeft == 1 ? "one try is" : "\(triesLeft) tries are") left")
        case .codeNotSent:
            self = .invalidVerificationCode(message: "no code was sent for this second factor; ask for one with StartSecondFactor")
        case .codeExpired:
            self = .invalidVerificationCode(message: "the code is older than five minutes; request a new one")
        case .noTriesLeft(let seconds):
            self = .tooManyAttempts(
                message: "too many wrong codes, no tries left; start again\(Self.later(seconds))", retryAfterSeconds: Int(seconds))
        case .tooManyWrongCodes(let seconds):
            self = .tooManyAttempts(
                message: "too many wrong codes recently; try again\(Self.later(seconds))", retryAfterSeconds: Int(seconds))
        case .tooManyMessages(let seconds):
            self = .tooManyAttempts(
                message: "too many codes were sent recently; try again\(Self.later(seconds))", retryAfterSeconds: Int(seconds))
        }
    }

    /// Programs get this in the field that otherwise names a provider.
    private static let phoneID = "phone"

    private static func later(_ seconds: Int64) -> String {
        switch seconds {
        case ...0: ""
        case ..<120: " in \(seconds) s"
        default: " in \((seconds + 59) / 60) min"
        }
    }
}
