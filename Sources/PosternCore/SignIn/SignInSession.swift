/// One sign-in: who asked for what, and of which provider. Fixed when it begins, and not secret.
public struct SignInSession: Sendable, Equatable {
    /// The phases, with the interface's names.
    public enum Phase: String, Sendable, CaseIterable {
        /// A page waits in a browser, or a code for another device.
        case authorizationPending
        /// The states are used up; the code is being sent, or was.
        case exchanging
        /// There is a result, which can be fetched once.
        case completed
        case failed
    }

    public var id: String
    public var request: SignInRequest
    /// The provider as it was when the sign-in began; the code is sent to no other. A client that is registered during the sign-in is known
    /// before anything is on disk.
    public var binding: ProviderBinding
    /// The name of the program that asked, for the result page and the log.
    public var requester: String
    /// The program that asked first said that it shows the page itself.
    public var isShownByClient: Bool
    public var startedAt: Timestamp
    /// The redirect URI, byte for byte as in the authorization request.
    public var redirectURI: String
    /// Where the page at the redirect URI forwards the answer to; nil if that is not a page elsewhere.
    public var relayedTo: String?
    /// Unguessable, and valid only for the result page.
    public var pageID: String

    public init(
        id: String, request: SignInRequest, binding: ProviderBinding, requester: String, isShownByClient: Bool = false,
        startedAt: Timestamp, redirectURI: String, relayedTo: String? = nil, pageID: String
    ) {
        self.id = id
        self.request = request
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
    /// An answer is accepted only where this sign-in's was to arrive (RFC 9700 section 4.4.2.2).
    ///
    /// Byte for byte: Swift's own equality treats different encodings of one character as equal.
    ///
    /// - Parameter place: a path of the listener; or, for a URL that was handed over and leads elsewhere, all of it before its query.
    public func awaits(answerAt place: String) -> Bool {
        let arrival = relayedTo ?? redirectURI
        guard place.begins(with: "/") else { return place.utf8.elementsEqual(redirectURI.utf8) }
        guard ["http:", "https:"].contains(where: { arrival.begins(with: $0) }) else { return false }
        let path = URIParts(arrival).path
        return (path.isEmpty ? "/" : path).utf8.elementsEqual(place.utf8)
    }
}

/// Secrets that only a sign-in waiting for the user has: they leave it with the provider's answer, for the token endpoint.
public struct FlowSecrets: Sendable, Equatable {
    /// RFC 7636; one for all pages of the sign-in.
    public var codeVerifier: Secret
    /// What an ID token must repeat; nil if none is requested.
    public var nonce: Secret?
    /// The key that the code and the tokens are to be bound to (RFC 9449); nil if the provider is not asked for that.
    public var proofKey: DPoPKey?
    /// OAuth 1.0a request tokens, one for each page that was handed out; empty for other providers.
    public var requestTokens: [OAuth1Token]

    public init(codeVerifier: Secret, nonce: Secret? = nil, proofKey: DPoPKey? = nil, requestTokens: [OAuth1Token] = []) {
        self.codeVerifier = codeVerifier
        self.nonce = nonce
        self.proofKey = proofKey
        self.requestTokens = requestTokens
    }

    /// Whether a callback that names this request token can be this sign-in's: if it has such tokens, it must be one of them.
    func know(_ requestToken: Secret?) -> Bool { requestTokens.isEmpty || requestTokens.contains { $0.token == requestToken } }

    /// All that an error must not repeat.
    public var all: [Secret] { [codeVerifier] + [nonce].compactMap { $0 } + requestTokens.flatMap { [$0.token, $0.secret] } }

    /// An answer from another device had no page, and so no nonce either.
    var ofNoPage: FlowSecrets {
        var secrets = self
        secrets.nonce = nil
        return secrets
    }
}

/// A sign-in as it is on disk.
public struct StoredSignIn: Sendable, Equatable {
    public var session: SignInSession
    /// SHA-256 of every state given out, or of the request tokens that replace states (``CallbackKey``).
    public var stateHashes: [[UInt8]]
    public var expiresAt: Timestamp
    public var status: Status

    public enum Status: Sendable, Equatable {
        /// - Parameter _: besides the secrets, the code for another device that waits for the user.
        case pending(FlowSecrets, DeviceAuthorization?)
        case exchanging
        case ended(SignInOutcome, isDelivered: Bool)
    }

    public init(session: SignInSession, stateHashes: [[UInt8]], expiresAt: Timestamp, status: Status) {
        self.session = session
        self.stateHashes = stateHashes
        self.expiresAt = expiresAt
        self.status = status
    }
}
