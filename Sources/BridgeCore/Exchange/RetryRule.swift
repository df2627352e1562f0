import PosternValues

/// When a request is sent again, and with what the daemon is asked to authorize it anew.
///
/// A server that refuses an authorization has carried out nothing. Whatever else it answers passes on, and what may have reached it
/// without an answer is never sent again.
public struct RetryRule: Sendable {
    /// A nonce, a renewed token, and the first.
    public static let mostSends = 3

    /// What the daemon is told of the refusal.
    public struct Refusal: Sendable, Equatable {
        /// The values of `WWW-Authenticate`.
        public var challenge: [String]
        /// The server's newest `DPoP-Nonce`.
        public var nonce: String?
        /// Another token may help no more than the one before, as with a nonce that a proof lacked.
        public var isAboutProof: Bool
    }

    public enum Verdict: Sendable, Equatable {
        case pass
        /// The daemon is asked for another authorization. If it has one, the request is sent again; if not, its error is the answer.
        case authorize(Refusal)
        /// The daemon is asked, too, so that the next request succeeds; this one is over, because it cannot be sent again.
        case authorizeNext(Refusal)
        /// The server refuses a renewed token as well.
        case refused
    }

    public enum FailureVerdict: Sendable, Equatable {
        /// On a connection that served no other request.
        case connectAnew
        case fail(BridgeFailure.Kind)
    }

    private var sends = 0
    private var wasRenewed = false
    private var hadNonce = false
    private var wasForbidden = false
    private var hasConnectedAnew = false

    public init() {}

    /// The request is being sent.
    public mutating func sent() { sends += 1 }

    /// - Parameter canRepeat: the whole body is at hand.
    public mutating func answered(_ answer: BridgeAnswer, canRepeat: Bool) -> Verdict {
        guard answer.status == 401 || answer.status == 403 else { return .pass }
        let challenge = answer.values(of: "WWW-Authenticate")
        let nonce = answer.values(of: "DPoP-Nonce").last
        let refusal = Refusal(challenge: challenge, nonce: nonce, isAboutProof: nonce != nil && challenge.contains(where: Self.wantsNonce))
        if answer.status == 403 {
            guard challenge.contains(where: Self.isAboutToken), !wasForbidden else { return .pass }
            wasForbidden = true
        } else if refusal.isAboutProof {
            guard !hadNonce else { return .refused }
            hadNonce = true
        } else {
            guard !wasRenewed else { return .refused }
            wasRenewed = true
        }
        return canRepeat && sends < Self.mostSends ? .authorize(refusal) : .authorizeNext(refusal)
    }

    /// There is no answer, or no whole one.
    ///
    /// - Parameters:
    ///   - isClosedConnection: one that had been kept turned out to be closed.
    ///   - mayHaveReachedServer: a byte of the request was passed to the connection.
    ///   - canRepeat: the whole body is at hand.
    public mutating func failed(isClosedConnection: Bool, mayHaveReachedServer: Bool, canRepeat: Bool) -> FailureVerdict {
        guard !mayHaveReachedServer else { return .fail(.interrupted) }
        guard isClosedConnection, canRepeat, !hasConnectedAnew else { return .fail(.unreachable) }
        hasConnectedAnew = true
        // It was not sent.
        sends -= 1
        return .connectAnew
    }

    private static func wantsNonce(_ challenge: String) -> Bool { challenge.holds("use_dpop_nonce") }

    /// What another token, or a person, can put right (RFC 6750 section 3.1, RFC 9470). Whatever else a server forbids, it forbids.
    private static func isAboutToken(_ challenge: String) -> Bool {
        let text = challenge.lowercased()
        return ["insufficient_scope", "insufficient_user_authentication", "invalid_token"].contains { text.holds($0) }
    }
}
