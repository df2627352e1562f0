extension AccountRules {
    /// Firebase's limit on a user's second factors.
    public static let secondFactorLimit = 5

    // MARK: Enrolling and removing

    /// Whether the app's user may have the second factor; checked when enrolment begins, and again when it is confirmed.
    ///
    /// - Parameter number: of a phone.
    public static func mayEnroll(_ kind: SecondFactor.Kind, number: PhoneNumber?, for user: User) throws(AccountFailure) {
        guard !user.isAnonymous else { throw .secondFactor(.anonymousUser) }
        // Only the authority's word counts: with another provider's, its user could lock the address's owner out.
        guard user.email != nil, user.addressProof == .authority else { throw .secondFactor(.unprovedAddress(user.email)) }
        let isThere = user.secondFactors.contains { factor in
            switch kind {
            // A user has one authenticator program; the codes of two would be one kind of proof, not two.
            case .totp: factor.kind == .totp
            case .phone: factor.phoneNumber != nil && factor.phoneNumber == number?.text
            }
        }
        guard !isThere else { throw .secondFactor(.alreadyEnrolled(kind)) }
        guard user.secondFactors.count < secondFactorLimit else { throw .secondFactor(.limitReached(secondFactorLimit)) }
    }

    /// The app's user, if the person was present a moment ago and gave one of the user's second factors: someone who finds a program open,
    /// or who has only the first factor, must not change what protects an account.
    public static func recent(
        _ current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) -> (signIn: AppSignIn, user: User) {
        guard let current else { throw .refused(.noCurrentUser) }
        guard isRecent(current.signIn) else { throw .refused(.requiresRecentSignIn) }
        try requireFactorGiven(current)
        return current
    }

    /// A code for the new second factor was right.
    ///
    /// - Parameter step: of a one-time password: it is used up.
    public static func enrolled(
        _ factor: SecondFactor, secret: Secret?, step: Int64?, by current: (signIn: AppSignIn, user: User)
    ) throws(AccountFailure) -> Decision {
        // The user may have got another one since this was begun.
        try requireFactorGiven(current)
        try mayEnroll(factor.kind, number: factor.phoneNumber.flatMap(PhoneNumber.init), for: current.user)
        var (signIn, user) = current
        user.secondFactors.append(factor)
        // As in Firebase's tokens: a user who has just shown it has given it.
        signIn.secondFactor = factor.uid
        var changes = AccountChanges(upsertUser: user, signIn: signIn)
        if let secret { changes.factorSecrets = [factor.uid: secret] }
        if let step { changes.usedSteps = [factor.uid: step] }
        return Decision(user: user, changes: changes)
    }

    public static func removeSecondFactor(
        _ uid: String, of current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) -> Decision {
        var (signIn, user) = try recent(current, isRecent: isRecent)
        guard user.secondFactors.contains(where: { $0.uid == uid }) else { throw .secondFactor(.noSuchFactor) }
        user.secondFactors.removeAll { $0.uid == uid }
        if signIn.secondFactor == uid { signIn.secondFactor = nil }
        return Decision(user: user, changes: AccountChanges(upsertUser: user, signIn: signIn))
    }
}
