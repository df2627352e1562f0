import StrictJSON

/// How to find out which client an access token that a program obtained itself was issued to.
///
/// A bearer token says nothing about that: with one that a user gave to any other application, that application's maker could sign in here
/// as this user (RFC 6749 section 10.16).
public enum AudienceLookup: Sendable {
    /// The provider answers this request.
    case ask(ProviderRequest)
    /// Every request is signed in the client's name, and the provider accepts another client's token in none of them.
    case answeredByEveryRequest
    /// There is no way to find out, so the token is not trusted.
    case impossible
}

/// What a provider says about an access token, once it is known to be this client's.
public struct PresentedAccessToken: Sendable, Hashable {
    /// The account that granted it; nil if the provider does not say.
    public var subject: String?
    /// Nil if the provider does not say.
    public var scopes: [String]?
    /// Nil: the provider names no expiry.
    public var expiresAt: Timestamp?

    public init(subject: String? = nil, scopes: [String]? = nil, expiresAt: Timestamp? = nil) {
        self.subject = subject
        self.scopes = scopes
        self.expiresAt = expiresAt
    }
}

/// Why an access token that a program obtained itself does not show who somebody is.
public enum PresentedTokenError: Error, Sendable, Hashable {
    case noWayToTell
    case otherClient
    /// It has expired, was revoked, or never was valid.
    case notGood
    /// The profile is another account's than the token's.
    case otherAccount
    /// The answer does not say which client the token was issued to; the reason continues a sentence that begins with "the answer".
    case unreadable(String)
    /// The provider refused to answer us.
    case refused(OAuthRefusal)
    case transient(TransientFailure)
}

extension PresentedTokenError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noWayToTell: "the provider cannot say for which client an access token was issued; sign in with SignIn, or an ID token"
        case .otherClient: "the access token was issued to another client"
        case .notGood: "the access token is invalid or has expired; get a new one"
        case .otherAccount: "the provider says that the access token belongs to another account than its profile"
        case .unreadable(let reason): "the provider did not say to which client the access token was issued: the answer \(reason)"
        case .refused(let refusal): "the provider did not say to which client the access token was issued: \(refusal)"
        case .transient(let failure): "the provider did not say to which client the access token was issued: \(failure)"
        }
    }
}

/// An answer to an ``AudienceLookup``, and access to its members.
struct AudienceAnswer {
    let members: ProfileDocument

    /// Throws for a transient failure and for a refusal.
    init(_ answer: ProviderResponse, now: Timestamp) throws(PresentedTokenError) {
        if let failure = TransientFailure(answer, now: now) { throw .transient(failure) }
        guard 200..<300 ~= answer.status else { throw .refused(OAuthRefusal(inErrorAnswer: answer)) }
        guard answer.body.count <= TokenResponse.mostBytes else { throw .unreadable("is larger than \(TokenResponse.mostBytes) bytes") }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: answer.body) } catch { throw .unreadable("is \(error)") }
        guard case .object(let object) = json else { throw .unreadable("must be a JSON object, but is \(json.typeName)") }
        members = ProfileDocument(object)
    }

    /// Requires the client to be named and to be this one, byte for byte.
    func requireClient(_ path: String, _ clientID: String) throws(PresentedTokenError) {
        guard try required(path).utf8.elementsEqual(clientID.utf8) else { throw .otherClient }
    }

    func required(_ path: String) throws(PresentedTokenError) -> String {
        guard let text = try optional(path) else { throw .unreadable("has no \(path)") }
        return text
    }

    /// A string, or an integer as its digits. A member of any other type is an error.
    func optional(_ path: String) throws(PresentedTokenError) -> String? {
        guard members[path] != nil else { return nil }
        do throws(ProfileError) { return try members.identifier(path) } catch { throw .unreadable("has a \(path) that is no name") }
    }

    /// Seconds since 1970, as a number, with or without a fraction (RFC 7519 section 2), or in a string; nil if the member is missing, or
    /// is `none`.
    func time(_ path: String, none: Int64? = nil) throws(PresentedTokenError) -> Timestamp? {
        if case .decimal? = members[path], let moment = members[path].flatMap(NumericDate.read) {
            return moment == none.map { Timestamp(seconds: $0) } ? nil : moment
        }
        guard let text = try optional(path) else { return nil }
        guard let seconds = Int64(text) else { throw .unreadable("has a \(path) that is no time") }
        return seconds == none ? nil : Timestamp(seconds: seconds)
    }

    /// When the token expires, which must not be in the past.
    func end(_ path: String, none: Int64? = nil, now: Timestamp) throws(PresentedTokenError) -> Timestamp? {
        guard let end = try time(path, none: none) else { return nil }
        guard now < end else { throw .notGood }
        return end
    }

    /// The strings of an array.
    func strings(_ path: String) -> [String]? { members[path]?.arrayValue?.prefix(256).compactMap(\.stringValue) }
}

/// OAuth 2.0 Token Introspection (RFC 7662).
enum TokenIntrospection {
    static func request(for grant: Grant, at provider: ResolvedProvider) -> ProviderRequest? {
        provider.introspection.map { endpoint in
            .form(
                [("token", grant.accessToken.reveal()), ("token_type_hint", "access_token")], to: endpoint,
                from: ClientCredentials(of: provider))
        }
    }

    /// `client_id` is optional there (section 2.2), and without it nothing is known. `aud` names the service that accepts the token, not
    /// the client that requested it, so it cannot be used instead.
    static func token(
        in response: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        let answer = try AudienceAnswer(response, now: now)
        switch answer.members["active"] {
        case .bool(true)?: break
        case .bool(false)?: throw .notGood
        default: throw .unreadable("does not say whether it is active")
        }
        try answer.requireClient("client_id", provider.clientID)
        // If the profile names the account by another member than `sub`, the two may differ.
        let subject = provider.provider.profileMapping.uid == "sub" ? try answer.optional("sub") : nil
        return PresentedAccessToken(
            subject: subject, scopes: answer.members["scope"]?.stringValue.map { provider.dialect.decodeScopes($0) },
            expiresAt: try answer.end("exp", now: now))
    }
}
