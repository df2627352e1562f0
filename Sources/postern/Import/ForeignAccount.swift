import PosternClient

/// An account as another program knows it.
struct ForeignAccount {
    /// What the other program calls it.
    var name: String
    /// The address or user name; nil if the other program knows none.
    var login: String?
    var provider: ForeignProvider?
    var clientID: String?
    var clientSecret: Secret?
    var scopes: [String] = []
    /// Nil: the other program has none, or none that can be read.
    var refreshToken: Secret?
}

/// Where it is an account.
enum ForeignProvider: Equatable {
    /// Built in here. `tenant` is Microsoft's.
    case builtIn(String, tenant: String? = nil)
    /// An OpenID provider.
    case issuer(String)
    case endpoints(authorization: String, token: String)
}

extension ForeignProvider {
    /// Google and Microsoft are known by where their tokens come from.
    init(authorization: String, token: String) {
        let parts = token.split(separator: "/", omittingEmptySubsequences: false)
        let host = parts.count > 2 && parts[0] == "https:" ? parts[2].lowercased() : ""
        switch host {
        case "oauth2.googleapis.com", "accounts.google.com", "www.googleapis.com": self = .builtIn("google.com")
        case "login.microsoftonline.com" where parts.count > 3 && !parts[3].isEmpty:
            self = .builtIn("microsoft.com", tenant: String(parts[3]))
        default: self = .endpoints(authorization: authorization, token: token)
        }
    }

    /// By the words that mail programs have for them.
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

/// What another program wrote cannot be read. The sentence holds nothing of the content but names.
struct ForeignFileError: Error, Equatable, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
