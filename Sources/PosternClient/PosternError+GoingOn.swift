import PosternInterface

/// What a sign-in asks for after the first factor was right.
public struct SecondFactorChallenge: Hashable, Sendable {
    /// Stands for the first factor; good for a few minutes and a few tries.
    public var resolver: Secret
    /// The user's factors; any one of them will do.
    public var factors: [SecondFactor]

    public init(resolver: Secret, factors: [SecondFactor]) {
        self.resolver = resolver
        self.factors = factors
    }
}

extension PosternError {
    /// The credential that was refused, with a handle that is good once.
    ///
    /// Of `accountExistsWithDifferentCredential`: to be linked, once the address's owner has signed in. Of `credentialAlreadyInUse`: to
    /// sign in with, as the user it belongs to.
    ///
    ///     do { try await client.signIn(with: "github.com") } catch let error as PosternError {
    ///         guard let pending = error.pendingCredential else { throw error }
    ///         try await client.signIn(with: "google.com")
    ///         try await client.link(with: pending)
    ///     }
    public var pendingCredential: CredentialInput? {
        switch self {
        case .refused(.accountExistsWithDifferentCredential(_, _, _, let credential)),
            .refused(.credentialAlreadyInUse(_, _, let credential)):
            credential.handle.map { CredentialInput(handle: $0) }
        default: nil
        }
    }

    /// How the sign-in is ended that asks for a second factor: ``PosternClient/resolve(_:with:code:)``.
    public var challenge: SecondFactorChallenge? {
        guard case .refused(.secondFactorRequired(_, let resolver, let hints)) = self else { return nil }
        return SecondFactorChallenge(resolver: resolver, factors: hints)
    }
}
