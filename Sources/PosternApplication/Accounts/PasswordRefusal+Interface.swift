import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a refusal by the rules about passwords is reported on the socket.
    init(_ refusal: PasswordRefusal) {
        switch refusal {
        case .invalidEmail:
            self = .invalidEmail(message: "that is not an email address; give one such as ada@example.com, without spaces")
        case .addressMissing:
            self = .invalidEmail(message: "the user has no address to use with a password; give one together with the password")
        case .weakPassword(let weakness):
            self = .weakPassword(message: "the password was rejected: \(weakness); choose another one", reason: "\(weakness)")
        case .wrongPassword:
            self = .wrongPassword(message: "that is not the user's password")
        case .tooManyAttempts(let seconds):
            self = .tooManyAttempts(
                message: "too many passwords were tried; try again in \(seconds) \(seconds == 1 ? "second" : "seconds")",
                retryAfterSeconds: Int(seconds))
        }
    }
}
