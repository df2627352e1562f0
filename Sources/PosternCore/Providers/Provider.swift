/// The protocol that a provider speaks; the names are the interface's.
public enum ProviderKind: String, Sendable, CaseIterable {
    case oauth1, oauth2, oidc
}

/// How the client authenticates at the token endpoint (RFC 6749 section 2.3, OpenID Connect Core section 9).
public enum ClientAuthentication: String, Sendable, CaseIterable {
    case clientSecretBasic = "client_secret_basic"
    case clientSecretPost = "client_secret_post"
    case none
}

/// A provider's endpoints. A missing one is discovered, or the provider does not have it.
public struct ProviderEndpoints: Sendable, Hashable {
    public var authorization: String?
    public var token: String?
    public var userinfo: String?
    public var revocation: String?
    /// RFC 7662, or the provider's own way to say whose an access token is.
    public var introspection: String?
    public var deviceAuthorization: String?
    public var jwks: String?
    public var pushedAuthorization: String?
    public var registration: String?
    public var endSession: String?
    /// OAuth 1.0a's, where sign-ins begin; its access tokens are at `token`.
    public var requestToken: String?
}

/// Which members of a profile document mean what; a full stop descends into an object.
public struct ProfileMapping: Sendable, Hashable {
    public var uid: String
    public var displayName: String
    public var email: String
    public var photo: String
    public var username: String
}

/// How the answer is returned; the names are those of `response_mode`.
public enum ResponseMode: String, Sendable, CaseIterable {
    case query, fragment
    case formPost = "form_post"
}

/// A configured provider: the built-in one, if any, overridden by the configuration.
public struct Provider: Sendable {
    /// The name by which programs ask for it: `github.com`, `work`.
    public var id: String
    public var displayName: String
    public var kind: ProviderKind
    /// How it differs from the standard.
    public var dialect: any ProviderDialect
    public var clientID: String?
    public var clientSecret: Secret?
    /// Further secrets, by the configuration's keys (``ProviderSetting``).
    public var secrets: [String: Secret] = [:]
    /// OpenID issuer, exactly as configured; discovery must name the same.
    public var issuer: String?
    /// Those of the configuration or the catalogue; discovery adds the rest.
    public var endpoints = ProviderEndpoints()
    public var scopes: [String] = []
    /// The configuration names them: what is written there is what is requested.
    public var hasChosenScopes = false
    /// Those that its resource lists (RFC 9728 section 2); a client is registered for them if the issuer lists none.
    public var resourceScopes: [String] = []
    /// Those that a client registered by Postern may request; nil for any other client.
    public var registeredScopes: [String]?
    /// Those that a server may have requested besides (RFC 6750), after it was asked for something that needs them. An MCP server may have
    /// any requested.
    public var stepUpScopes: [String] = []
    /// Sent with every authorization request.
    public var parameters: [String: String] = [:]
    /// Nil: what the metadata offers, or `client_secret_basic` if it does not say.
    public var clientAuthentication: ClientAuthentication?
    public var profileMapping: ProfileMapping
    public var emailTrust = EmailTrust.nobody
    /// A file of additional certificate authorities (PEM), for this provider only.
    public var caFile: String?
    /// Its own callback path, `/__/auth/handler/ID`, instead of the common one (RFC 9700 section 4.4.2.2).
    public var hasOwnCallbackPath = false
    public var redirectHost = RedirectHost.address
    public var redirectPort = RedirectPort.any
    public var extensions = ProviderExtensions()
    /// Instead of the listener's address; for providers that accept none.
    public var redirectURI: RedirectURI?
    /// OAuth 1.0a callback URLs contain a state; only if the provider does not compare them exactly.
    public var hasCallbackState = false
    /// The URLs that its tokens are for; a token is sent nowhere else.
    public var serves: [URLPrefix] = []
    /// How it is asked to send its answers; nil: its own default (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    public var responseMode: ResponseMode?
    /// How people sign in if a program does not say; nil: as configured for all.
    public var flow: ProviderFlow?
    /// The MCP server whose tokens it issues; nil for a provider that is configured as one.
    public var server: MCPServer?
    /// The one app that may sign in with its client; nil: every app.
    public var app: AppName?
    /// Why it cannot be used: a sentence that says what is missing and where to configure it.
    public var problem: String?
}

extension Provider {
    /// What is usually asked of an OpenID provider (OpenID Connect Core section 5.4).
    public static let openIDScopes = ["openid", "email", "profile"]

    /// One that is not built in, before the configuration is applied.
    public init(id: String, displayName: String, kind: ProviderKind) {
        self.init(
            id: id, displayName: displayName, kind: kind, dialect: kind == .oauth1 ? OAuth1Dialect() : StandardDialect(),
            scopes: kind == .oidc ? Self.openIDScopes : [],
            // For plain OAuth, which has no standard claims, the most common names.
            profileMapping: kind == .oidc
                ? .openID : ProfileMapping(uid: "id", displayName: "name", email: "email", photo: "avatar_url", username: "username"),
            // OAuth 1.0a servers compare callback URLs exactly, or not at all.
            redirectPort: kind == .oauth1 ? .registered : .any)
    }

    static let passwordID = "password"
    static let anonymousID = "anonymous"

    /// What is used instead of a provider's ID if no provider is meant: for users with a password, anonymous ones, and in the
    /// `sign_in_provider` of a Firebase project's tokens, for phone numbers and custom tokens; `firebase` in an error is the project
    /// itself. `email` and `phone_number` are addresses in the `identities` of a user's ID token, so that a provider of that name could make
    /// any account there look like the owner of an address; `emaillink` is Firebase's sign-in by a link, written in small letters.
    static let reservedIDs: Set = [
        passwordID, anonymousID, "phone", "custom", "firebase", "email", "phone_number", "emaillink",
    ]

    /// No provider may have such a name, in any letter case: `FetchProviders` and `UnlinkProvider` would confuse them.
    public static func isReserved(id: String) -> Bool { reservedIDs.contains(id.lowercased()) }
}

/// How a user reaches the provider; the names are the interface's and the configuration's.
public enum ProviderFlow: String, Sendable, CaseIterable {
    /// A redirect in a browser brings the answer back.
    case browser
    /// A code typed on any device (RFC 8628).
    case device
}

extension Provider {
    /// It says who signed in. Otherwise an account is its name: whoever signs in under the name has it.
    public var namesPeople: Bool { dialect.namesPeople(at: self) }

    /// False for a provider that requires a client secret in a browser, and was configured without one.
    public var hasBrowserFlow: Bool {
        !(dialect.needsClientSecret && clientAuthentication == ClientAuthentication.none && clientSecret == nil)
    }

    /// Whether a code for another device can be obtained, as far as that is known: nil if only its metadata say.
    ///
    /// - Parameter metadata: nil if they have not been read.
    public func hasDeviceFlow(metadata: ProviderMetadata? = nil) -> Bool? {
        if endpoints.deviceAuthorization != nil { return true }
        if !dialect.mayHaveDeviceFlow { return false }
        if let metadata { return metadata.deviceAuthorization != nil }
        return issuer == nil || kind == .oauth1 ? false : nil
    }
}
