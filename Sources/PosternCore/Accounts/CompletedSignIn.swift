import StrictJSON

/// What a successful sign-in brought.
public struct CompletedSignIn: Sendable, Equatable {
    public var grant: Grant
    public var profile: ProviderProfile
    public var proof: Proof
    /// The nonce as it was generated, if the ID token contains it.
    public var rawNonce: Secret?
    /// The local user; nil for the intent `credential`.
    public var user: User?
    public var isNewUser: Bool
    /// What a Firebase project issued to stand for the credential; nil if it issued nothing, or is not asked.
    public var pendingToken: Secret?
    /// The configured name that the sign-in was for; nil if it was for the provider.
    public var signedInAs: SignInName?
    /// Credentials of other accounts that this one replaced. Not on disk.
    public var released = ReleasedCredentials()
    /// What the page asks the user about linked accounts. Not on disk.
    public var review: LinkReview?

    public init(
        grant: Grant, profile: ProviderProfile, proof: Proof, rawNonce: Secret?, user: User?, isNewUser: Bool,
        pendingToken: Secret? = nil, signedInAs: SignInName? = nil
    ) {
        self.grant = grant
        self.profile = profile
        self.proof = proof
        self.rawNonce = rawNonce
        self.user = user
        self.isNewUser = isNewUser
        self.pendingToken = pendingToken
        self.signedInAs = signedInAs
    }
}

extension CompletedSignIn {
    public func isOf(_ user: User) -> Bool {
        self.user?.uid == user.uid || user.identities.contains { $0.isAccount(of: profile.identity) }
    }
}

extension CompletedSignIn {
    /// What the result page still needs.
    public var withoutSecrets: CompletedSignIn {
        var completed = self
        completed.grant.accessToken = Secret([])
        completed.grant.refreshToken = nil
        completed.grant.idToken = nil
        completed.grant.proofKey = nil
        completed.grant.tokenSecret = nil
        completed.rawNonce = nil
        completed.pendingToken = nil
        completed.profile.document = JSONObject()
        return completed
    }
}
