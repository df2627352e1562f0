/// What a credential shows of the person whose it is: how it came here, and when the person was last seen.
///
/// It stays with the credential wherever that goes: into a handle, a resolver, a result that waits to be fetched. Whatever depends on a
/// person asks it: linking, recovery, joining, confirming, and what takes a recent sign-in.
public struct Proof: Sendable, Hashable {
    public enum Way: String, Sendable, CaseIterable {
        /// A page, or a code for another device, that was begun here and whose answer arrived here.
        case page
        /// An ID token that a program presented. It answers a nonce, was issued within the last minutes, and is valid once.
        case idToken
        /// A password that was right.
        case password
        /// An access token and nothing else. It says whose account it opens, but not who holds it: any program can have it, for as long as
        /// the provider accepts it.
        case accessToken
    }

    public var way: Way
    /// Nil if nobody was seen: the provider was asked to answer without the person, or was not asked at all.
    public var seenAt: Timestamp?
    /// The issuer, the endpoints and the client that it was obtained with; nil for a password. It proves nothing for another one that has the
    /// provider's name by now.
    public var origin: ProviderBinding?

    public init(_ way: Way, seenAt: Timestamp?, at origin: ProviderBinding? = nil) {
        self.way = way
        self.seenAt = seenAt
        self.origin = origin
    }
}

extension Proof {
    public static func accessToken(at origin: ProviderBinding?) -> Proof { Proof(.accessToken, seenAt: nil, at: origin) }

    /// A page whose answer arrived.
    ///
    /// A provider that knows the person may answer without asking anybody. When it asked last is `auth_time` (OpenID Connect Core section
    /// 2); where it does not say that, the person was seen in the page. Where it was told to ask nobody, only a moment ago counts: a program
    /// can open such a page whenever a browser is signed in.
    ///
    /// - Parameters:
    ///   - claims: of the ID token that the code was exchanged for; nil if there is none.
    ///   - mayAsk: false if the request said `prompt=none`.
    ///   - origin: whose page it was.
    public static func page(
        answeredAt now: Timestamp, _ claims: IDTokenClaims?, mayAsk: Bool, at origin: ProviderBinding?
    ) -> Proof {
        if let claims, let then = claims.askedAt {
            // Both by the provider's clock, which may differ from ours.
            let elapsed = max(0, claims.issuedAt.milliseconds - then.milliseconds)
            let counts = mayAsk || elapsed <= AppSignIn.recentSeconds * 1000
            return Proof(.page, seenAt: counts ? Timestamp(milliseconds: max(0, now.milliseconds - elapsed)) : nil, at: origin)
        }
        return Proof(.page, seenAt: mayAsk ? now : nil, at: origin)
    }

    /// An ID token that a program presented: how long it had it is not known, so it counts from when it was issued, at the latest.
    ///
    /// A renewal shows nobody but whom the provider asked a moment ago, and may repeat the nonce of the sign-in (OpenID Connect Core section
    /// 12.2).
    ///
    /// - Parameters:
    ///   - isRenewed: it is known that no sign-in brought it.
    ///   - origin: whose it is, as it was checked.
    public static func presented(_ claims: IDTokenClaims, isRenewed: Bool, now: Timestamp, at origin: ProviderBinding?) -> Proof {
        let seenAt = min(now, claims.issuedAt, claims.askedAt ?? now)
        let counts = !isRenewed || claims.askedAt != nil && now <= seenAt.adding(seconds: AppSignIn.recentSeconds)
        return Proof(.idToken, seenAt: counts ? seenAt : nil, at: origin)
    }
}

extension Proof {
    /// Nobody but the person, or a program that the person used, can have brought it.
    public var showsPerson: Bool { way.showsPerson }

    /// When the person was last seen, for a sign-in with it; never before the present one of the same user in the same app.
    ///
    /// A refusal gives a new handle for the same credential, so a handle can be kept alive for hours: the time of its use does not count.
    ///
    /// - Parameters:
    ///   - withSecondFactor: a second factor was given just now, which shows the user again, though not by itself.
    ///   - before: when the same user was present before, for the same app.
    public func presence(withSecondFactor: Bool = false, now: Timestamp, before: Timestamp?) -> Timestamp {
        let never = Timestamp(milliseconds: 0)
        // A moment in the future is of a clock that was wrong.
        let before = before.flatMap { $0 <= now ? $0 : nil }
        return max(seen(withSecondFactor: withSecondFactor, now: now) ?? never, before ?? never)
    }

    /// When the person was seen in it, or in the second factor that came with it.
    public func seen(withSecondFactor: Bool, now: Timestamp) -> Timestamp? { withSecondFactor && showsPerson ? now : seenAt }
}

extension Proof {
    /// - Parameter isPage: a page was answered now.
    /// - Throws: also ``AccountRefusal/personNotSeen(providerID:_:)`` for a link by a page or an ID token in which nobody was seen: a program
    ///   needs nobody for such a one, and what is linked can sign in as the user from then on.
    public func require(for intent: Intent, at providerID: String, isPage: Bool, withSecondFactor: Bool = false) throws(AccountRefusal) {
        try way.require(for: intent)
        guard intent != .link || seenAt != nil || withSecondFactor else {
            throw .personNotSeen(providerID: providerID, AccountRefusal.Absence(of: self, isPage: isPage))
        }
    }
}

extension Proof.Way {
    var showsPerson: Bool { self != .accessToken }

    /// - Throws: ``AccountRefusal/personNotShown`` if the intent is to show that the user is present, or to let this account sign in as
    ///   another user, and this does not show them.
    public func require(for intent: Intent) throws(AccountRefusal) {
        switch intent {
        case .signIn, .credential: return
        case .link, .reauthenticate: guard showsPerson else { throw .personNotShown }
        }
    }
}

extension IDTokenClaims {
    /// When the provider last asked; nil if it does not say. Glewlwyd says 0, whenever that was.
    fileprivate var askedAt: Timestamp? { authenticatedAt.flatMap { $0.milliseconds > 0 ? $0 : nil } }
}
