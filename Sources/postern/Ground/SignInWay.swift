import PosternClient

/// How a user proves who they are.
enum SignInWay: Equatable {
    /// A provider's page or code; intent and presentation are set when it is used.
    case provider(Interface.SignIn)
    /// An address and a password; nil for the current user's address, or one to be typed.
    case password(email: String?)
    case anonymous

    static let passwordID = "password"
    static let anonymousID = "anonymous"

    /// As named on the command line.
    var providerID: String {
        switch self {
        case .provider(let parameters): parameters.providerID
        case .password: Self.passwordID
        case .anonymous: Self.anonymousID
        }
    }
}
