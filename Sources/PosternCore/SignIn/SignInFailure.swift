/// Why a sign-in did not succeed.
public enum SignInFailure: Error, Sendable, Hashable {
    case provider(ProviderFailure)
    case ended(Ending)

    /// It ended for a reason of its own, whatever the provider said.
    public struct Ending: Sendable, Hashable {
        /// The words are the store's, and none of them is one of ``ProviderFailure/Reason``. What follows from each is its ``row``.
        public enum Reason: String, Sendable, CaseIterable {
            case timedOut
            case cancelled
            /// The app's sign-in that it was for is over, or its user's ways in changed (``PageOwner``).
            case ownerEnded
            /// Another account than the requested one signed in.
            case otherAccount
            /// A server wanted more than the provider granted, or what it granted is less than what is stored.
            case notGranted
        }

        public var reason: Reason
        /// Nobody is signed in to the app.
        public var isSignedOut: Bool?
        /// Two accounts, as a user calls them.
        public var asked: String?
        public var signedIn: String?
        /// The scopes that the grant lacks.
        public var missing: [String]?

        public init(_ reason: Reason) { self.reason = reason }
    }

    public static var timedOut: SignInFailure { .ended(Ending(.timedOut)) }
    public static var cancelled: SignInFailure { .ended(Ending(.cancelled)) }

    /// - Parameter isSignedOut: nobody is signed in to the app.
    public static func ownerEnded(isSignedOut: Bool) -> SignInFailure {
        var ending = Ending(.ownerEnded)
        ending.isSignedOut = isSignedOut
        return .ended(ending)
    }

    public static func otherAccount(asked: String, signedIn: String) -> SignInFailure {
        var ending = Ending(.otherAccount)
        (ending.asked, ending.signedIn) = (asked, signedIn)
        return .ended(ending)
    }

    public static func notGranted(missing: [String]) -> SignInFailure {
        var ending = Ending(.notGranted)
        ending.missing = missing
        return .ended(ending)
    }
}

extension SignInFailure.Ending {
    /// The errors of the interface that these failures become.
    public enum ErrorName: Sendable { case signInTimedOut, signInCancelled, noCurrentUser, userMismatch, scopeNotGranted }

    /// What the browser shows that no other failure shows.
    public enum Page: String, Sendable, CaseIterable {
        case timedOut, cancelled

        /// Something is wrong; the others are somebody's decision, and no cause for alarm.
        public var isMishap: Bool { self == .timedOut }
    }

    /// What follows from an ending.
    public struct Row: Sendable {
        public var error: ErrorName
        public var page: FailurePage
        /// For the log, and within another sentence.
        public var description: String
        /// For the program.
        public var message: String
    }

    /// - Parameters:
    ///   - app: that the sign-in was for.
    ///   - name: the provider's.
    public func row(app: AppName = "", providerName name: String = "") -> Row {
        switch reason {
        case .timedOut:
            Row(
                error: .signInTimedOut, page: .ended(.timedOut), description: "nobody finished it in time",
                message: "nobody finished the sign-in at \(name) in time; start it again")
        case .cancelled:
            Row(
                error: .signInCancelled, page: .ended(.cancelled), description: "it was cancelled",
                message: "the sign-in at \(name) was cancelled")
        case .ownerEnded where isSignedOut == true:
            Row(
                error: .noCurrentUser, page: .refused(.noCurrentUser), description: "the app signed out",
                message: "the app \(app) signed out while this was waiting for \(name); sign in, then start it again")
        case .ownerEnded:
            Row(
                error: .userMismatch, page: .ended(.cancelled), description: "the app's user changed",
                message: "the app \(app) signed in again, or its user's ways to sign in changed, while this was waiting for \(name); "
                    + "start it again")
        case .otherAccount:
            otherAccount(asked ?? "", signedIn ?? "", at: name)
        case .notGranted:
            Row(
                error: .scopeNotGranted, page: .provider(.scopeRejected),
                description: "\((missing ?? []).joined(separator: ", ")) was not granted",
                message: "\(name) did not grant \((missing ?? []).joined(separator: ", ")), so nothing was stored, and what the account "
                    + "had stays as it is")
        }
    }

    private func otherAccount(_ asked: String, _ signedIn: String, at name: String) -> Row {
        let found = signedIn == asked ? "another account with that name" : signedIn
        return Row(
            error: .userMismatch, page: .refused(.otherAccount), description: "\(asked) was requested, but \(signedIn) signed in",
            message: "\(asked) was requested, but \(found) signed in at \(name), so nothing was stored; "
                + "sign in there as \(asked), or in another browser or profile")
    }
}

extension SignInFailure.Ending.Reason {
    /// What the store has of it besides the reason.
    public var members: [String] {
        switch self {
        case .timedOut, .cancelled: []
        case .ownerEnded: ["isSignedOut"]
        case .otherAccount: ["asked", "signedIn"]
        case .notGranted: ["missing"]
        }
    }
}

extension SignInFailure: CustomStringConvertible {
    /// For the log, and within another sentence.
    public var description: String {
        switch self {
        case .provider(let failure): failure.description
        case .ended(let ending): ending.row().description
        }
    }
}
