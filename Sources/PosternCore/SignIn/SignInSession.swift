import StrictJSON

/// One sign-in under way, or just over: all of it that is kept on disk.
public struct SignInSession: Sendable, Equatable {
    /// The interface's words for where a session stands.
    public enum Phase: String, Sendable, CaseIterable {
        /// A page waits in a browser. Next: `exchanging`, `failed`.
        case authorizationPending
        /// The state was used up; the code is, or was, on its way. Next: `completed`, `failed`.
        case exchanging
        /// There is a result, to be fetched once.
        case completed
        case failed
    }

    public var id: String
    public var question: SignInQuestion
    /// The provider as it was when the sign-in began; its code goes to no other.
    public var binding: ProviderBinding
    /// Who asked, for the result page and the log: a program's name.
    public var requester: String
    /// The program that asked first said that it shows the page itself.
    public var isShownByClient: Bool
    public var phase: Phase
    public var startedAt: Timestamp
    public var expiresAt: Timestamp

    /// SHA-256 of every state given out for this session, or of the request tokens that stand for states (``CallbackKey``). More than
    /// one where the page was handed out anew; the first that comes back uses up all.
    public var stateHashes: [[UInt8]]
    /// RFC 7636; bound to the session, so the same for all its states.
    public var codeVerifier: Secret
    /// What an ID token must repeat; nil where none is asked for.
    public var nonce: Secret?
    /// To which the code and the tokens are to be bound (RFC 9449); nil where the provider is not asked for that.
    public var proofKey: DPoPKey?
    /// Byte for byte what the authorization request had.
    public var redirectURI: String
    /// Where the page at the redirect URI hands the answer on to; nil where that is not a page elsewhere.
    public var relayedTo: String?
    /// Unguessable, and good for the result page only.
    public var pageID: String

    /// The code for another device that waits for its person; nil where there is none, or it is over.
    public var device: DeviceAuthorization?
    /// Of OAuth 1.0a, one a page that was handed out; empty for other providers, and when the answer was taken.
    public var requestTokens: [OAuth1Token] = []

    public var outcome: SignInOutcome?
    /// The result was handed to a program; it is not given out again.
    public var isDelivered: Bool

    public init(
        id: String, question: SignInQuestion, binding: ProviderBinding, requester: String, isShownByClient: Bool = false,
        phase: Phase = .authorizationPending, startedAt: Timestamp,
        expiresAt: Timestamp, stateHashes: [[UInt8]], codeVerifier: Secret, nonce: Secret?, proofKey: DPoPKey? = nil,
        redirectURI: String, pageID: String, device: DeviceAuthorization? = nil, outcome: SignInOutcome? = nil,
        isDelivered: Bool = false
    ) {
        self.id = id
        self.question = question
        self.binding = binding
        self.requester = requester
        self.isShownByClient = isShownByClient
        self.phase = phase
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.stateHashes = stateHashes
        self.codeVerifier = codeVerifier
        self.nonce = nonce
        self.proofKey = proofKey
        self.redirectURI = redirectURI
        self.pageID = pageID
        self.device = device
        self.outcome = outcome
        self.isDelivered = isDelivered
    }
}

extension SignInSession {
    /// An answer is taken where this session's was to go, and nowhere else (RFC 9700 section 4.4.2.2).
    ///
    /// Byte for byte: Swift's own equality takes different spellings of one character for equal.
    ///
    /// - Parameter place: a path of the listener; or, of a URL that was handed over and leads elsewhere, all of it up to its query.
    public func awaits(answerAt place: String) -> Bool {
        let arrival = relayedTo ?? redirectURI
        guard place.hasPrefix("/") else { return place.utf8.elementsEqual(redirectURI.utf8) }
        guard ["http:", "https:"].contains(where: { arrival.hasPrefix($0) }) else { return false }
        return SignInTable.path(of: arrival).utf8.elementsEqual(place.utf8)
    }
}

/// How a sign-in ended.
public enum SignInOutcome: Sendable, Equatable {
    case completed(CompletedSignIn)
    /// The provider gave a credential, and the account rules do not let it do what was asked for.
    case refused(AccountRefusal, CompletedSignIn)
    case failed(SignInFailure)
}

extension SignInOutcome {
    /// There is something to be handed out, once.
    public var hasCredential: Bool { if case .failed = self { false } else { true } }
}

extension SignInOutcome {
    /// What the result page still needs once the result was handed over: who signed in, and to what.
    public var withoutSecrets: SignInOutcome {
        switch self {
        case .completed(let completed): .completed(completed.withoutSecrets)
        case .refused(let refusal, let completed): .refused(refusal, completed.withoutSecrets)
        case .failed: self
        }
    }
}

extension CompletedSignIn {
    fileprivate var withoutSecrets: CompletedSignIn {
        var completed = self
        completed.grant.accessToken = Secret([])
        completed.grant.refreshToken = nil
        completed.grant.idToken = nil
        completed.grant.proofKey = nil
        completed.grant.tokenSecret = nil
        completed.rawNonce = nil
        completed.pendingToken = nil
        completed.profile.document = JSONObject()
        return completed
    }
}

/// What a successful sign-in gave.
public struct CompletedSignIn: Sendable, Equatable {
    public var grant: Grant
    public var profile: ProviderProfile
    /// Whether it shows that the person was there, and when.
    public var proof: CredentialProof
    /// The nonce as it was made, where the ID token carries it.
    public var rawNonce: Secret?
    /// The local user; nil for the intent `credential`.
    public var user: User?
    public var isNewUser: Bool
    /// What a Firebase project gave to stand for the credential; nil where it gave nothing, or is not asked.
    public var pendingToken: Secret?
    /// Credentials of other accounts that gave way to this one, to be taken back at their providers; they are not kept.
    public var displaced: [StoredCredential] = []

    public init(
        grant: Grant, profile: ProviderProfile, proof: CredentialProof, rawNonce: Secret?, user: User?, isNewUser: Bool,
        pendingToken: Secret? = nil
    ) {
        self.grant = grant
        self.profile = profile
        self.proof = proof
        self.rawNonce = rawNonce
        self.user = user
        self.isNewUser = isNewUser
        self.pendingToken = pendingToken
    }
}

/// Why a sign-in did not come to its end. Each case is one error of the interface.
public enum SignInFailure: Error, Sendable, Hashable {
    /// The person, or the provider for them, said no (RFC 6749 section 4.1.2.1).
    case denied(error: String, description: String?)
    case timedOut
    case cancelled
    /// The provider refused the code, or what it answered makes no sense.
    case exchangeFailed(error: String?, description: String?, message: String)
    /// Network, 429 or 5xx: nothing was refused, and asking again later may work.
    case unreachable(message: String)
    case invalidIDToken(reason: String)
    /// Somebody else than asked for signed in; both as a person calls them.
    case otherAccount(asked: String, signedIn: String)
    case providerNotConfigured(message: String)
    case storeUnavailable(message: String)
    /// Our own mistake; told apart so that it is seen.
    case `internal`(message: String)
}
