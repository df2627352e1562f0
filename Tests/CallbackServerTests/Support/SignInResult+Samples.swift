@testable import PosternCore

extension SignInResult {
    /// A sign-in at GitHub that my-app asked for.
    static func sample(
        _ outcome: SignInOutcome?, intent: Intent = .signIn, wasDeclined: Bool = false,
        displayNames: [String: String] = ["github.com": "GitHub"]
    ) -> SignInResult {
        SignInResult(
            providerID: "github.com", intent: intent, requester: "my-app", otherRequesters: ["git"], outcome: outcome,
            wasDeclined: wasDeclined, displayNames: displayNames)
    }
}

extension CompletedSignIn {
    static func sample(_ identity: Identity, user: User? = nil) -> CompletedSignIn {
        let now = Timestamp(seconds: 1_800_000_000)
        return CompletedSignIn(
            grant: Grant(accessToken: Secret("access"), tokenType: "Bearer", scopes: [], obtainedAt: now),
            profile: ProviderProfile(identity: identity, document: [:]), proof: Proof(.page, seenAt: now), rawNonce: nil, user: user,
            isNewUser: false)
    }
}

extension Identity {
    static let ada = Identity(
        providerID: "github.com", subject: "7", displayName: "Ada", email: "ada@example.com", username: "ada")
}
