import PosternClient

/// By what a person proves who they are.
enum SignInWay: Equatable {
    /// A provider's page or code; intent and presentation are set when it is asked for.
    case provider(Interface.SignIn)
    /// An address and a password; nil for the current user's address, or the one that is typed.
    case password(email: String?)
    case anonymous

    static let passwordID = "password"
    static let anonymousID = "anonymous"

    /// As the command line names it.
    var providerID: String {
        switch self {
        case .provider(let parameters): parameters.providerID
        case .password: Self.passwordID
        case .anonymous: Self.anonymousID
        }
    }
}
