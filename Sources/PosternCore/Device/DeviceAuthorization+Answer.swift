extension DeviceAuthorization {
    /// The names that a dialect gives to the members of the answer.
    public struct Members: Sendable {
        public var deviceCode: String
        /// The first that is there counts. Google writes `verification_url`, as drafts of RFC 8628 did.
        public var verificationURI: [String]
        public var verificationURIComplete: [String]

        public init(
            deviceCode: String = "device_code", verificationURI: [String] = ["verification_uri", "verification_url"],
            verificationURIComplete: [String] = ["verification_uri_complete", "verification_url_complete"]
        ) {
            self.deviceCode = deviceCode
            self.verificationURI = verificationURI
            self.verificationURIComplete = verificationURIComplete
        }
    }

    /// Reads what a device authorization endpoint answered.
    ///
    /// - Parameter sentAt: when it was asked: a code ages while its answer travels.
    public init(
        _ response: ProviderResponse, members: Members = Members(), at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) {
        let answer = try Self.reading { () throws(TokenEndpointError) in
            try TokenAnswer(response, dialect: provider.dialect, now: now)
        }
        let code = try Self.reading { () throws(TokenEndpointError) in try answer.token(members.deviceCode) }
        guard let code else { throw .malformed(.missing(member: members.deviceCode), refusal: nil) }
        let userCode = try Self.reading { () throws(TokenEndpointError) in try answer.required("user_code") }
        guard Self.isUserCode(userCode) else { throw .invalidUserCode }

        // A provider out in the world has nothing to show on this machine's own services.
        let mayBePlain = provider.deviceAuthorization?.scheme == .http
        guard let uri = try Self.first(of: members.verificationURI, in: answer) else {
            throw .malformed(.missing(member: members.verificationURI[0]), refusal: nil)
        }
        let verificationURI = try Self.page(uri, mayBePlain: mayBePlain)
        // A convenience: where it is no good, the other one and the code do.
        let complete = (try? Self.first(of: members.verificationURIComplete, in: answer))
            .flatMap { try? Self.page($0, mayBePlain: mayBePlain) }

        let lifetime = try Self.reading { () throws(TokenEndpointError) in try answer.lifetime("expires_in") }
        guard let lifetime else { throw .malformed(.missing(member: "expires_in"), refusal: nil) }
        let expiresAt = sentAt.adding(seconds: min(lifetime, Self.longestLife))
        guard lifetime > 0, expiresAt > now else { throw .overAlready }
        let interval = try Self.reading { () throws(TokenEndpointError) in try answer.lifetime("interval") } ?? Self.usualInterval
        self.init(
            deviceCode: code, userCode: userCode, verificationURI: verificationURI, verificationURIComplete: complete,
            expiresAt: expiresAt, intervalSeconds: min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound))
    }

    /// Shown to a person just as it is: nothing that steers a terminal, hides or pushes the rest out of sight.
    private static func isUserCode(_ text: String) -> Bool {
        text.utf8.count <= longestUserCode && ProviderText.cleaned(text, longest: longestUserCode) == text
    }

    private static func page(_ text: String, mayBePlain: Bool) throws(DeviceAuthorizationError) -> String {
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch { throw .invalidVerificationURI(error) }
        guard url.scheme == .https || mayBePlain else { throw .invalidVerificationURI(.plainHTTP(host: url.host)) }
        return url.text
    }

    private static func first(of names: [String], in answer: TokenAnswer) throws(DeviceAuthorizationError) -> String? {
        guard let name = names.first(where: { answer.members[$0] != nil && answer.members[$0] != .null }) else { return nil }
        return try reading { () throws(TokenEndpointError) in try answer.required(name) }
    }

    private static func reading<Value>(
        _ body: () throws(TokenEndpointError) -> Value
    ) throws(DeviceAuthorizationError) -> Value {
        do throws(TokenEndpointError) { return try body() } catch { throw DeviceAuthorizationError(error) }
    }
}
