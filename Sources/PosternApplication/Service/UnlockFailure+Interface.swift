import PosternCore
import PosternInterface

extension InterfaceError {
    init(_ failure: UnlockFailure) {
        switch failure {
        case .tooManyGuesses(let seconds):
            self = .tooManyAttempts(
                message: "too many wrong passphrases; try again in \(seconds) seconds", retryAfterSeconds: Int(seconds))
        case .store(let error):
            switch error.kind {
            // The parameter is missing, or should not be given.
            case .passphraseNeeded, .passphraseUnwanted: self = .invalidParameter("passphrase")
            case .wrongPassphrase: self = .wrongPassword(message: "\(error.reason); \(error.advice)")
            case .weakPassphrase: self = .weakPassword(message: "\(error.reason); \(error.advice)", reason: error.reason)
            default: self.init(error)
            }
        }
    }
}
