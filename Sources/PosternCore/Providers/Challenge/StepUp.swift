/// What a person must do for a request that a server refused: grant more scopes (RFC 6750 section 3.1), or sign in in a stronger way
/// (RFC 9470).
public struct StepUp: Sendable, Hashable {
    /// The account whose token was refused; nil if none is stored.
    public var subject: String?
    /// Those that the server wants, and that were not granted; empty if only a stronger sign-in is wanted.
    public var missing: [String]
    /// What the account has.
    public var granted: [String]
    /// What was ever requested for it besides.
    public var requested: [String]
    /// `acr_values`: the sign-in must be of one of these classes; any will do if there are none.
    public var authenticationClasses: [String]
    /// `max_age`: the most seconds since the person signed in; nil if that does not matter.
    public var longestSinceAuthentication: Int64?

    public init(
        subject: String?, missing: [String], granted: [String] = [], requested: [String] = [], authenticationClasses: [String] = [],
        longestSinceAuthentication: Int64? = nil
    ) {
        self.subject = subject
        self.missing = missing
        self.granted = granted
        self.requested = requested
        self.authenticationClasses = authenticationClasses
        self.longestSinceAuthentication = longestSinceAuthentication
    }
}

extension StepUp {
    /// The most scopes, or authentication classes, of a server's challenge, and the longest, in bytes. They are shown to a person, who must
    /// be able to read them.
    static let mostWords = 32
    static let longestWord = 128
    /// The most scopes that are requested.
    static let mostRequested = 64

    /// The union: what is requested.
    public var scopes: [String] { Scopes.withoutRepetition(granted + requested + missing) }

    /// The parameters of the authorization request (OpenID Connect Core section 3.1.2.1).
    public var parameters: [String: String] {
        var parameters: [String: String] = [:]
        if !authenticationClasses.isEmpty { parameters["acr_values"] = authenticationClasses.joined(separator: " ") }
        if let longestSinceAuthentication { parameters["max_age"] = String(longestSinceAuthentication) }
        return parameters
    }

    /// What a new grant lacks: scopes that the server wants, and those that the account has and would lose.
    ///
    /// - Parameter held: as it is stored now; another step-up may have ended meanwhile. Nil where the new grant takes the place of none.
    public func lacking(in fresh: Grant, beside held: Grant?, dialect: any ProviderDialect) -> [String] {
        // It shows in the refresh token, which is kept if the new grant has none.
        let kept = (held?.scopes ?? []).filter { $0 != OfflineAccess.scope }
        return dialect.missingScopes(asked: Scopes.withoutRepetition(missing + kept), granted: fresh.scopes)
    }
}

/// Why no page is opened for a challenge.
public enum StepUpRefusal: Error, Sendable, Hashable {
    /// Everything that the server wants was granted: another sign-in would bring the same token.
    case alreadyGranted([String])
    /// The configuration does not list these scopes under `step-up-scopes`.
    case notListed([String])
    /// The server wants other scopes and does not say which.
    case noScopes
    /// It wants another way to sign in than the one that the token has because a server demanded that. Which is stronger, nobody can say.
    case otherClass([String], kept: [String])
    /// It names too much, or what cannot be a scope, a class or a number of seconds.
    case unreadable(parameter: String)
}

/// What follows from the challenges of a server that refused a request.
public enum ChallengeVerdict: Sendable, Hashable {
    /// They say nothing about the token.
    case nothing
    /// The request wants a proof with this nonce (RFC 9449 section 9); nil if the challenge has none.
    case proof(nonce: String?)
    /// Another token may do.
    case renewal
    case stepUp(StepUp)
    case refusal(StepUpRefusal)
}

extension ChallengeVerdict {
    /// - Parameters:
    ///   - challenges: none if the server gave none, or none that can be read.
    ///   - credential: whose token was sent; nil if none is stored.
    public init(
        on challenges: [AuthenticationChallenge], to credential: StoredCredential?, of provider: Provider
    ) {
        // A server may also offer what is none of our business, such as Basic.
        let ours = challenges.filter { ["bearer", "dpop"].contains($0.scheme) }
        func having(_ errors: String...) -> [AuthenticationChallenge] {
            ours.filter { $0.parameters["error"].map(errors.contains) ?? false }
        }
        // Nothing but the proof was looked at.
        if let challenge = having("use_dpop_nonce").first {
            self = .proof(nonce: challenge.parameters["nonce"].flatMap { DPoPNonces.isNonce($0) ? $0 : nil })
            return
        }
        let demands = having("insufficient_scope", "insufficient_user_authentication")
        if !demands.isEmpty {
            do throws(StepUpRefusal) {
                self = .stepUp(try StepUp(demands, of: credential, at: provider))
            } catch { self = .refusal(error) }
            return
        }
        // The person cannot help where the request is wrong, or the proof; any other refusal is one of the token.
        let isAboutToken = ours.isEmpty || ours.contains { ["invalid_token", nil].contains($0.parameters["error"]) }
        self = isAboutToken ? .renewal : .nothing
    }
}

extension StepUp {
    fileprivate init(
        _ challenges: [AuthenticationChallenge], of credential: StoredCredential?, at provider: Provider
    ) throws(StepUpRefusal) {
        let grant = credential?.grant
        let isStronger = challenges.contains { $0.parameters["error"] == "insufficient_user_authentication" }
        var named: [String] = []
        for challenge in challenges { named += try Self.words("scope", of: challenge) }
        if named.isEmpty, !isStronger {
            guard !challenges.contains(where: { $0.parameters["scope"] != nil }), !provider.resourceScopes.isEmpty else { throw .noScopes }
            named = provider.resourceScopes
        }
        // A server asks for what it needs; how long the access lasts is the person's business.
        named = Scopes.withoutRepetition(named).filter { $0 != OfflineAccess.scope }
        let missing = provider.dialect.missingScopes(asked: named, granted: grant?.scopes ?? [])
        if !isStronger {
            if named.isEmpty { throw .noScopes }
            if missing.isEmpty { throw .alreadyGranted(named) }
        }
        if provider.server == nil {
            let unlisted = missing.filter { !provider.stepUpScopes.contains($0) && !provider.scopes.contains($0) }
            if !unlisted.isEmpty { throw .notListed(unlisted) }
        }
        self.init(subject: credential?.subject, missing: missing, granted: grant?.scopes ?? [], requested: grant?.requestedScopes ?? [])
        guard scopes.count <= Self.mostRequested else { throw .unreadable(parameter: "scope") }
        var classes: [String] = []
        for challenge in challenges { classes += try Self.words("acr_values", of: challenge) }
        // What another server demanded before is not given up for this one.
        let kept = grant?.authenticationClasses ?? []
        authenticationClasses = classes.isEmpty ? kept : Scopes.withoutRepetition(classes).filter { kept.isEmpty || kept.contains($0) }
        if !classes.isEmpty, authenticationClasses.isEmpty {
            // An MCP server's token is for it alone, so nobody else demanded the other class; and nothing says that the token is of it.
            guard provider.server != nil, grant?.provedClass == nil else {
                throw .otherClass(Scopes.withoutRepetition(classes), kept: kept)
            }
            authenticationClasses = Scopes.withoutRepetition(classes)
        }
        for challenge in challenges {
            guard let age = try Self.seconds("max_age", of: challenge) else { continue }
            longestSinceAuthentication = min(longestSinceAuthentication ?? age, age)
        }
        // A server that does not say what is strong enough wants the person to be asked again.
        if isStronger, classes.isEmpty, longestSinceAuthentication == nil { longestSinceAuthentication = 0 }
    }

    /// Words separated by spaces (RFC 6749 section 3.3, RFC 9470 section 3).
    private static func words(_ parameter: String, of challenge: AuthenticationChallenge) throws(StepUpRefusal) -> [String] {
        guard let text = challenge.parameters[parameter] else { return [] }
        let words = text.parts(separator: " ").map(String.init)
        guard words.count <= mostWords, words.allSatisfy({ Scopes.isValid($0) && $0.utf8.count <= longestWord }) else {
            throw .unreadable(parameter: parameter)
        }
        return words
    }

    private static func seconds(_ parameter: String, of challenge: AuthenticationChallenge) throws(StepUpRefusal) -> Int64? {
        guard let text = challenge.parameters[parameter] else { return nil }
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy(\.isDecimalDigit), let seconds = Int64(text) else {
            throw .unreadable(parameter: parameter)
        }
        return seconds
    }
}
