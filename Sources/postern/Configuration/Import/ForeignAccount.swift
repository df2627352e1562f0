import PosternClient

/// An account of another program.
struct ForeignAccount {
    /// Its name in the other program.
    var name: String
    /// The address or user name; nil if the other program does not know it.
    var login: String?
    var provider: ForeignProvider?
    var clientID: String?
    var clientSecret: Secret?
    var scopes: [String] = []
    /// Nil if the other program has none, or none that can be read.
    var refreshToken: Secret?
    /// Of the other program's own client, where that has no refresh token.
    var accessToken: Secret?
    /// Where a token of gh is for.
    var host: String?
}

/// The provider of an account.
enum ForeignProvider: Equatable {
    /// Built in here. `tenant` is for Microsoft.
    case builtIn(String, tenant: String? = nil)
    /// An OpenID provider.
    case issuer(String)
    case endpoints(authorization: String, token: String)
}

extension ForeignProvider {
    /// Google and Microsoft are recognised by their token endpoints.
    init(authorization: String, token: String) {
        let parts = token.parts(separator: "/", omittingEmptySubsequences: false)
        let host = parts.count > 2 && parts[0] == "https:" ? parts[2].lowercased() : ""
        switch host {
        case "oauth2.googleapis.com", "accounts.google.com", "www.googleapis.com": self = .builtIn("google.com")
        case "login.microsoftonline.com" where parts.count > 3 && !parts[3].isEmpty:
            self = .builtIn("microsoft.com", tenant: String(parts[3]))
        default: self = .endpoints(authorization: authorization, token: token)
        }
    }

    /// By the names that mail programs use for them.
    init?(service: String) {
        switch service.lowercased() {
        case "google", "gmail": self = .builtIn("google.com")
        case "microsoft", "outlook", "office365": self = .builtIn("microsoft.com")
        default: return nil
        }
    }

    /// For people.
    var description: String {
        switch self {
        case .builtIn(let id, nil): id
        case .builtIn(let id, let tenant?): "\(id), tenant \(tenant)"
        case .issuer(let issuer): issuer
        case .endpoints(_, let token): token
        }
    }
}

/// Another program's file cannot be read. The sentence contains nothing of the file but names.
struct ForeignFileError: Error, Equatable, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
