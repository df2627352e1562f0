/// Stand-ins by which a sealed value is found. Each use has its own, so that equal values in two tables do not show.
extension Sealer {
    func index(providerID: String, subject: String) -> [UInt8] { index("subject", providerID, subject) }

    /// Letter case apart, and no further: two addresses that differ otherwise may be two people's.
    func index(email: String) -> [UInt8] { index("email", email.lowercased()) }

    func index(handle: String) -> [UInt8] { index("handle", handle) }

    func index(challenge: String) -> [UInt8] { index("challenge", challenge) }

    func index(attemptsOf subject: String) -> [UInt8] { index("attempts", subject) }

    func index(firebaseProject name: String) -> [UInt8] { index("firebase-project", name) }

    /// Not of a value: the same for every store under the same key, and different under every other one.
    var keyFingerprint: [UInt8] { index("key") }

    private func index(_ parts: String...) -> [UInt8] { key.blindIndex(lengthPrefixed(parts.map { Array($0.utf8) })) }
}
