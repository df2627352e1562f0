/// One sign-in: who asked for what, of which provider. Settled when it begins, and no secret.
public struct SignInSession: Sendable, Equatable {
    /// The interface's words for where one stands.
    public enum Phase: String, Sendable, CaseIterable {
        /// A page waits in a browser, or a code for another device.
        case authorizationPending
        /// The states were used up; the code is, or was, on its way.
        case exchanging
        /// There is a result, to be fetched once.
        case completed
        case failed
    }

    public var id: String
    public var question: SignInQuestion
    /// The provider as it was when the sign-in began; its code goes to no other. A client that is registered on the way is known
    /// before anything is on disk.
    public var binding: ProviderBinding
    /// Who asked, for the result page and the log: a program's name.
    public var requester: String
    /// The program that asked first said that it shows the page itself.
    public var isShownByClient: Bool
    public var startedAt: Timestamp
    /// Byte for byte what the authorization request had.
    public var redirectURI: String
    /// Where the page at the redirect URI hands the answer on to; nil if that is not a page elsewhere.
    public var relayedTo: String?
    /// Unguessable, and good for the result page only.
    public var pageID: String

    public init(
        id: String, question: SignInQuestion, binding: ProviderBinding, requester: String, isShownByClient: Bool = false,
        startedAt: Timestamp, redirectURI: String, relayedTo: String? = nil, pageID: String
    ) {
        self.id = id
        self.question = question
        self.binding = binding
        self.requester = requester
        self.isShownByClient = isShownByClient
        self.startedAt = startedAt
        self.redirectURI = redirectURI
        self.relayedTo = relayedTo
        self.pageID = pageID
    }
}

extension SignInSession {
    /// An answer is taken where this sign-in's was to go, and nowhere else (RFC 9700 section 4.4.2.2).
    ///
    /// Byte for byte: Swift's own equality takes different spellings of one character for equal.
    ///
    /// - Parameter place: a path of the listener; or, of a URL that was handed over and leads elsewhere, all of it up to its query.
    public func awaits(answerAt place: String) -> Bool {
        let arrival = relayedTo ?? redirectURI
        guard place.hasPrefix("/") else { return place.utf8.elementsEqual(redirectURI.utf8) }
        guard ["http:", "https:"].contains(where: { arrival.hasPrefix($0) }) else { return false }
        return Self.path(of: arrival).utf8.elementsEqual(place.utf8)
    }

    /// The path part of an absolute URI, without query or fragment.
    private static func path(of uri: String) -> Substring {
        var rest = uri[...]
        if let separator = rest.range(ofText: "://") {
            rest = rest[separator.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        } else if let colon = rest.firstIndex(of: ":") {
            rest = rest[rest.index(after: colon)...]
        }
        return rest.prefix { $0 != "?" && $0 != "#" }
    }
}

/// What only a sign-in that waits for the user has, and nobody after that: it goes with the provider's answer to the token endpoint.
public struct FlowSecrets: Sendable, Equatable {
    /// RFC 7636; one for all pages of the sign-in.
    public var codeVerifier: Secret
    /// What an ID token must repeat; nil if none is asked for.
    public var nonce: Secret?
    /// To which the code and the tokens are to be bound (RFC 9449); nil if the provider is not asked for that.
    public var proofKey: DPoPKey?
    /// Of OAuth 1.0a, one a page that was handed out; empty for other providers.
    public var requestTokens: [OAuth1Token]

    public init(codeVerifier: Secret, nonce: Secret? = nil, proofKey: DPoPKey? = nil, requestTokens: [OAuth1Token] = []) {
        self.codeVerifier = codeVerifier
        self.nonce = nonce
        self.proofKey = proofKey
        self.requestTokens = requestTokens
    }

    /// Whether a callback that names this request token can be this sign-in's: where it has such tokens, one of them.
    func know(_ requestToken: Secret?) -> Bool { requestTokens.isEmpty || requestTokens.contains { $0.token == requestToken } }

    /// No page was sent for what comes by another device, so no nonce either.
    var ofNoPage: FlowSecrets {
        var secrets = self
        secrets.nonce = nil
        return secrets
    }
}

/// A sign-in as it is on disk.
public struct StoredSignIn: Sendable, Equatable {
    public var session: SignInSession
    /// SHA-256 of every state given out, or of the request tokens that stand for states (``CallbackKey``).
    public var stateHashes: [[UInt8]]
    public var expiresAt: Timestamp
    public var standing: Standing

    public enum Standing: Sendable, Equatable {
        /// - Parameter _: beside the secrets, the code for another device that waits for the user.
        case pending(FlowSecrets, DeviceAuthorization?)
        case exchanging
        case ended(SignInOutcome, isDelivered: Bool)
    }

    public init(session: SignInSession, stateHashes: [[UInt8]], expiresAt: Timestamp, standing: Standing) {
        self.session = session
        self.stateHashes = stateHashes
        self.expiresAt = expiresAt
        self.standing = standing
    }
}
