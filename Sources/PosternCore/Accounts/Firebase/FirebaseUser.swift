extension User {
    /// The first, and only, user in an answer of `accounts:lookup`.
    public init(lookup answer: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) {
        guard let user = try answer.objects("users", most: 1).first else {
            throw FirebaseRefusal(.userNotFound, word: "USER_NOT_FOUND")
        }
        guard let uid = try user.identifier("localId") else { throw .malformed("the user has no localId") }
        var identities: [Identity] = []
        var hasPassword = false
        for account in try user.objects("providerUserInfo", most: 64) {
            guard let identity = try Identity(firebase: account) else { continue }
            if identity.providerID == User.passwordProviderID { hasPassword = true } else { identities.append(identity) }
        }
        let email = try user.text("email").flatMap(ProfileDocument.emailAddress).map(EmailAddress.lowercased)
        self.init(
            uid: uid, isAnonymous: identities.isEmpty && !hasPassword, displayName: try user.name("displayName"),
            email: email, addressProof: try user.flag("emailVerified") ? .provider : .none, photoURL: user.webAddress("photoUrl"),
            identities: identities, hasPassword: hasPassword, secondFactors: try user.secondFactors(now: now),
            createdAt: try user.number("createdAt").map(Timestamp.init(shownMilliseconds:)) ?? now,
            lastSignInAt: try user.number("lastLoginAt").map(Timestamp.init(shownMilliseconds:)) ?? now)
    }
}

extension Identity {
    /// Nil for an account that does not name its provider, or its identifier there.
    fileprivate init?(firebase account: FirebaseAnswer) throws(FirebaseRefusal) {
        let federatedID = try account.text("federatedId")
        let rawID = try account.text("rawId")
        guard let providerID = try account.identifier("providerId"), let subject = federatedID ?? rawID,
            (1...512).contains(subject.utf8.count), ProviderText.cleaned(subject, longest: 512) == subject
        else { return nil }
        let email = try account.text("email").flatMap(ProfileDocument.emailAddress)
        self.init(
            providerID: providerID, subject: subject, displayName: try account.name("displayName"), email: email,
            photoURL: account.webAddress("photoUrl"), username: try account.name("screenName"))
    }
}

extension SecondFactor {
    /// Nil for a kind that is not known here, such as a future one.
    init?(firebase factor: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) {
        guard let uid = try factor.identifier("mfaEnrollmentId") else { throw .malformed("a second factor has no mfaEnrollmentId") }
        let phone = try factor.text("phoneInfo")
        let isTOTP = try factor.object("totpInfo") != nil
        guard phone != nil || isTOTP else { return nil }
        self.init(
            kind: phone == nil ? .totp : .phone, uid: uid, displayName: try factor.name("displayName"),
            phoneNumber: phone.flatMap { ProviderText.cleaned($0, longest: 32) },
            enrolledAt: try factor.text("enrolledAt").flatMap(Timestamp.init(internetDate:)) ?? now)
    }
}

extension FirebaseAnswer {
    func name(_ key: String) throws(FirebaseRefusal) -> String? {
        try text(key).flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) }
    }

    func secondFactors(now: Timestamp) throws(FirebaseRefusal) -> [SecondFactor] {
        var factors: [SecondFactor] = []
        for factor in try objects("mfaInfo", most: 64) {
            if let factor = try SecondFactor(firebase: factor, now: now) { factors.append(factor) }
        }
        return factors
    }

    func webAddress(_ key: String) -> String? { ProfileDocument(members).webAddress(key) }
}

extension Timestamp {
    /// A project's milliseconds since 1970, as far as a year of four digits goes (RFC 3339).
    fileprivate init(shownMilliseconds milliseconds: Int64) { self.init(milliseconds: min(max(milliseconds, 0), 253_402_300_799_999)) }
}
