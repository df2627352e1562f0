extension SignInOutcome {
    /// It ended with the user, or with an account of the user's.
    public func isOf(_ user: User) -> Bool {
        switch self {
        case .completed(let completed), .refused(_, let completed): completed.isOf(user)
        case .failed: false
        }
    }
}

extension CompletedSignIn {
    public func isOf(_ user: User) -> Bool {
        let identity = profile.identity
        return self.user?.uid == user.uid
            || user.identities.contains {
                $0.providerID == identity.providerID && $0.subject.utf8.elementsEqual(identity.subject.utf8)
            }
    }
}
