/// Why a sign-in did not succeed.
public enum SignInFailure: Error, Sendable, Hashable {
    case provider(ProviderFailure)
    case timedOut
    case cancelled
    /// The app's sign-in that it was for is over, or its user's ways in changed (``PageOwner``).
    ///
    /// - Parameter isSignedOut: nobody is signed in to the app.
    case ownerEnded(isSignedOut: Bool)
    /// Another account than the requested one signed in; both as a user calls them.
    case otherAccount(asked: String, signedIn: String)
}

extension SignInFailure: CustomStringConvertible {
    /// For the log, and within another sentence.
    public var description: String {
        switch self {
        case .provider(let failure): failure.description
        case .timedOut: "nobody finished it in time"
        case .cancelled: "it was cancelled"
        case .ownerEnded(let isSignedOut): isSignedOut ? "the app signed out" : "the app's user changed"
        case .otherAccount(let asked, let signedIn): "\(asked) was requested, but \(signedIn) signed in"
        }
    }
}
