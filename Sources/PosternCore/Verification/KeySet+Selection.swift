extension KeySet {
    enum Selection: Equatable {
        case key(PublicKey)
        /// The provider may have changed its keys since the set was read.
        case unknown
        case ambiguous
    }

    /// The one key that a token can have been signed with (OpenID Connect Core section 10.1). A `kid` that is not listed never
    /// falls back to another key; without a `kid` only a sole candidate is taken.
    func select(keyID: String?, algorithm: SignatureAlgorithm) -> Selection {
        var candidates: Set<PublicKey> = []
        for key in keys where key.fits(algorithm) {
            // One key may be listed twice, once for each of its algorithms.
            if keyID == nil || key.keyID == keyID { candidates.insert(key.key) }
        }
        guard let sole = candidates.first else { return .unknown }
        return candidates.count == 1 ? .key(sole) : .ambiguous
    }

    /// For whom a key is listed, once an entry; nil stands for everybody.
    func issuers(of key: PublicKey) -> [String?] { keys.filter { $0.key == key }.map(\.issuer) }
}
