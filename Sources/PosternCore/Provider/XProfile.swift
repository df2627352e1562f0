import StrictJSON

/// Who signed in, as X's two APIs tell it: in the same words, in one of them inside a wrapper.
enum XProfile {
    /// By the members that the provider's mapping names.
    static func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        guard let answer = answers.first else { throw .noSource }
        let user = try document(in: answer, now: context.now)
        let mapping = context.provider.provider.profileMapping
        var identity = Identity(providerID: context.provider.id, subject: try identifier(mapping.uid, in: user))
        identity.username = user.name(mapping.username)
        identity.displayName = user.name(mapping.displayName) ?? identity.username
        identity.photoURL = user.webAddress(mapping.photo)
        // One API does not say whether the address was verified. The other calls it "confirmed", which X's documents do not explain; so
        // it does not count as verified in either.
        identity.email = user.emailAddress(mapping.email)
        return ProviderProfile(identity: identity, document: user.members)
    }

    /// The account's document in an answer; its failures in X's words.
    private static func document(in answer: ProviderResponse, now: Timestamp) throws(ProfileError) -> ProfileDocument {
        if var failure = TransientFailure(answer, now: now) {
            failure.retryAfterSeconds = failure.retryAfterSeconds ?? secondsToReset(answer, now: now)
            throw .transient(failure)
        }
        // Errors may come with status 200, beside what could be read.
        if let refusal = XError.refusal(in: answer), !(200..<300 ~= answer.status && hasData(answer)) { throw .refused(refusal) }
        return try ProfileDocument(from: answer, now: now)
    }

    /// An account's stable name: digits in a string. The number beside it has lost its last digits in many a reader.
    private static func identifier(_ path: String, in profile: ProfileDocument) throws(ProfileError) -> String {
        guard case .string(let id)? = profile[path], (1...20).contains(id.utf8.count), id.utf8.allSatisfy(\.isDecimalDigit) else {
            throw .member(JSONMemberError(path: path, reason: profile[path] == nil ? .missing : .notAllowed("must be a string of digits")))
        }
        return id
    }

    private static func hasData(_ answer: ProviderResponse) -> Bool {
        (try? JSON(parsing: answer.body))?.objectValue?["data"]?.objectValue != nil
    }

    /// `x-rate-limit-reset`: when the next quarter of an hour begins, in seconds since 1970.
    private static func secondsToReset(_ answer: ProviderResponse, now: Timestamp) -> Int64? {
        guard let reset = answer.header("x-rate-limit-reset").flatMap({ Int64($0.trimmingBlanks()) }) else { return nil }
        return min(max(Timestamp(seconds: reset).seconds(since: now), 0), TransientFailure.longestWait)
    }
}
