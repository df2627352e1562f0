import BridgeCore
import PosternClient
import PosternInterface

extension BridgeFailure {
    /// What the daemon answered to a request for authorization, or why it did not.
    init(_ error: PosternError, mayHaveReachedServer: Bool = false) {
        let advice = error.advice.map { "; \($0)" } ?? ""
        self.init(error.needsPerson ? .personNeeded : .daemon, "\(error)\(advice)", mayHaveReachedServer: mayHaveReachedServer)
    }
}

extension PosternError {
    /// A sign-in, a passphrase or a choice of theirs would do.
    var needsPerson: Bool {
        guard case .refused(let refusal) = self else { return false }
        switch refusal {
        case .ambiguousAccount, .accountNotConfirmed, .scopeNotGranted: return true
        default: return isOverWithPerson
        }
    }

    /// The same request succeeds as soon as they have signed in, or unlocked the store.
    var isOverWithPerson: Bool {
        guard case .refused(let refusal) = self else { return false }
        switch refusal {
        case .signInRequired, .stepUpRequired, .storeLocked: return true
        default: return false
        }
    }

    /// Whose provider's sign-in is missing.
    var missingSignIn: String? {
        switch self {
        case .refused(.signInRequired(_, let providerID, _)), .refused(.stepUpRequired(_, let providerID, _, _, _)): providerID
        default: nil
        }
    }
}
