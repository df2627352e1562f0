import StrictJSON

/// The keys of the ID tokens, and when each replaces the previous one.
///
/// A verifier that read the keys once must be able to verify for as long as it may cache them: so the next key is published a day before it
/// signs, and a key that signed stays published until its last token has expired. There is no timer: a daemon that was idle for a year
/// rotates when it is asked, and the day of publication begins then.
public struct UserTokenKeys: Sendable, Equatable {
    /// How long a key signs, in seconds.
    public static let signingSeconds: Int64 = 30 * 86_400
    /// How long a key is published before it signs; the answers may be cached for five minutes, but careless verifiers cache them longer.
    public static let noticeSeconds: Int64 = 86_400
    /// How long before it is due the next key is made, so that a daemon that is asked once a day rotates in time.
    static let preparationSeconds: Int64 = 2 * 86_400
    /// How long a key stays published after it signed for the last time: a token's life, and two clocks that differ.
    public static let retentionSeconds = UserTokenClaims.lifetimeSeconds + 600

    /// A key, and since when it has its role.
    public struct Entry: Sendable, Equatable {
        public var key: UserTokenKey
        public var since: Timestamp

        public init(key: UserTokenKey, since: Timestamp) {
            self.key = key
            self.since = since
        }
    }

    /// The key that signs.
    public private(set) var signing: Entry
    /// Published, and signs next.
    public private(set) var next: Entry?
    /// Keys that signed before, and are still published. The newest is the last.
    public private(set) var retired: [Entry]

    public init(signing: Entry, next: Entry? = nil, retired: [Entry] = []) {
        self.signing = signing
        self.next = next
        self.retired = retired
    }

    /// The first key signs at once: nobody has read any before.
    public init(first key: UserTokenKey, now: Timestamp) { self.init(signing: Entry(key: key, since: now)) }

    /// Rotates the keys according to the time.
    ///
    /// - Parameter make: makes a key, if one is needed.
    /// - Returns: the keys from now on. They must be on disk before one of them is published or signs.
    public func advanced<Failure: Error>(
        to now: Timestamp, making make: () throws(Failure) -> UserTokenKey
    ) throws(Failure) -> UserTokenKeys {
        var keys = self
        keys.forgetTheFuture(now)
        keys.rotate(now)
        keys.retired.removeAll { now >= $0.since.adding(seconds: Self.retentionSeconds) }
        if keys.needsNext(now) { keys.next = Entry(key: try make(), since: now) }
        return keys
    }

    /// Times recorded by a clock that was ahead are replaced by the present. Every wait begins again then, which is long enough for each of
    /// them, whatever the clock says.
    private mutating func forgetTheFuture(_ now: Timestamp) {
        signing.since = min(signing.since, now)
        if let published = next?.since { next?.since = min(published, now) }
        for index in retired.indices { retired[index].since = min(retired[index].since, now) }
    }

    private mutating func rotate(_ now: Timestamp) {
        guard let next, now >= signing.since.adding(seconds: Self.signingSeconds),
            now >= next.since.adding(seconds: Self.noticeSeconds)
        else { return }
        retired.append(Entry(key: signing.key, since: now))
        signing = Entry(key: next.key, since: now)
        self.next = nil
    }

    private func needsNext(_ now: Timestamp) -> Bool {
        next == nil && now >= signing.since.adding(seconds: Self.signingSeconds - Self.preparationSeconds)
    }

    /// The keys that a verifier may need, now or soon (RFC 7517 section 5). The one that signs is the first.
    public var published: JSONObject {
        let keys = [signing] + [next].compactMap(\.self) + retired.reversed()
        return ["keys": .array(keys.map { .object($0.key.jwk) })]
    }
}

/// A key that signs ID tokens of this machine's users (ES256).
public struct UserTokenKey: Sendable, Equatable {
    /// A P-256 key as PKCS #8 in PEM.
    public let privateKeyPEM: Secret
    /// Its public part, 32 bytes each.
    public let x: [UInt8]
    public let y: [UInt8]
    /// SHA-256 of the public part (RFC 7638): a key's ID never changes, and no two keys share one.
    public let id: String

    /// - Returns: nil if the coordinates are not on P-256.
    public init?(privateKeyPEM: Secret, x: [UInt8], y: [UInt8], cryptography: some Cryptography) {
        guard let pair = DPoPKey(privateKeyPEM: privateKeyPEM, x: x, y: y) else { return nil }
        self.privateKeyPEM = privateKeyPEM
        self.x = x
        self.y = y
        id = pair.thumbprint(using: cryptography)
    }

    /// The public part as a JWK (RFC 7517 section 4).
    var jwk: JSONObject {
        [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)), "kid": .string(id),
            "use": "sig", "alg": .string(SignatureAlgorithm.es256.rawValue),
        ]
    }
}
