import StrictJSON

/// The keys of the ID tokens, and when each takes the place of the one before.
///
/// A verifier that read the keys once must be able to verify for as long as it may keep them: so the next key is published a day before
/// it signs, and one that signed stays published until its last token is over. Nothing here runs by a timer: a daemon that sleeps for a
/// year asks when it is asked, and the day of publication begins then.
public struct UserTokenKeys: Sendable, Equatable {
    /// How long a key signs.
    public static let signingSeconds: Int64 = 30 * 86_400
    /// How long a key is published before it signs; the answers may be kept for five minutes, but careless verifiers keep them longer.
    public static let noticeSeconds: Int64 = 86_400
    /// The next key is made so long before it is due, so that a daemon that is asked once a day rotates in time.
    static let preparationSeconds: Int64 = 2 * 86_400
    /// How long a key stays published after it signed for the last time: a token's life, and two clocks that differ.
    public static let retentionSeconds = UserTokenClaims.lifetimeSeconds + 600

    /// A key and since when it is what it is.
    public struct Entry: Sendable, Equatable {
        public var key: UserTokenKey
        public var since: Timestamp

        public init(key: UserTokenKey, since: Timestamp) {
            self.key = key
            self.since = since
        }
    }

    /// Signs.
    public private(set) var signing: Entry
    /// Published, and signs next.
    public private(set) var next: Entry?
    /// Signed once, and is still published. The newest is the last.
    public private(set) var retired: [Entry]

    public init(signing: Entry, next: Entry? = nil, retired: [Entry] = []) {
        self.signing = signing
        self.next = next
        self.retired = retired
    }

    /// The first key signs at once: nobody has read any before.
    public init(first key: UserTokenKey, now: Timestamp) { self.init(signing: Entry(key: key, since: now)) }

    /// What time makes of the keys.
    ///
    /// - Parameter make: makes a key, where one is needed.
    /// - Returns: the keys as they are to be from now on. They must be on disk before one of them is published or signs.
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

    /// What was written down by a clock that was ahead happened now at the latest. Every wait begins anew then, which is long enough
    /// for each of them, whatever the clock says.
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

    /// Those that a verifier may need, now or soon (RFC 7517 section 5). The one that signs is the first.
    public var published: JSONObject {
        let keys = [signing] + [next].compactMap(\.self) + retired.reversed()
        return ["keys": .array(keys.map { .object($0.key.jwk) })]
    }
}
