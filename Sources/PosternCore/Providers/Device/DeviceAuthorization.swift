/// A provider's code for the user to type on another device (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable, Equatable {
    /// Nobody types longer ones.
    public static let longestUserCode = 64
    /// In seconds: the interval between two polls, and the code's lifetime. Values outside are limited to it.
    public static let intervals: ClosedRange<Int64> = 1...300
    public static let longestLife: Int64 = 24 * 3600
    /// If the provider names none (section 3.5), in seconds.
    public static let usualInterval: Int64 = 5

    /// Represents the sign-in at the token endpoint; anyone who has it gets the tokens.
    public var deviceCode: Secret
    /// As the user must type it; without control characters.
    public var userCode: String
    /// `https`, or `http` to a loopback address.
    public var verificationURI: String
    /// The same with the code in it, for a QR code.
    public var verificationURIComplete: String?
    public var expiresAt: Timestamp
    /// The least time between two polls.
    public var intervalSeconds: Int64

    public init(
        deviceCode: Secret, userCode: String, verificationURI: String, verificationURIComplete: String? = nil, expiresAt: Timestamp,
        intervalSeconds: Int64 = usualInterval
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresAt = expiresAt
        self.intervalSeconds = intervalSeconds
    }
}

extension DeviceAuthorization {
    /// Reads the answer of a device authorization endpoint.
    ///
    /// - Parameters:
    ///   - codeMember: what the provider calls the device code.
    ///   - sentAt: when the request was sent: a code ages while its answer is on its way.
    public init(
        _ response: ProviderResponse, deviceCode codeMember: String = "device_code", at provider: ResolvedProvider, sentAt: Timestamp,
        now: Timestamp
    ) throws(DeviceAuthorizationError) {
        let answer = try Self.reading(try TokenAnswer(response, at: provider, now: now))
        let code = try Self.reading(try answer.token(codeMember))
        guard let code else { throw .malformed(.missing(member: codeMember), refusal: nil) }
        let userCode = try Self.reading(try answer.required("user_code"))
        guard Self.isUserCode(userCode) else { throw .invalidUserCode }

        // A provider on the internet has nothing to show on this machine's own services.
        let mayBePlain = provider.deviceAuthorization?.scheme == .http
        // Google writes `verification_url`, as drafts of RFC 8628 did.
        guard let uri = try Self.first(of: ["verification_uri", "verification_url"], in: answer) else {
            throw .malformed(.missing(member: "verification_uri"), refusal: nil)
        }
        let verificationURI = try Self.page(uri, mayBePlain: mayBePlain)
        // A convenience: if it is invalid, the other URL and the code are enough.
        let complete = (try? Self.first(of: ["verification_uri_complete", "verification_url_complete"], in: answer))
            .flatMap { try? Self.page($0, mayBePlain: mayBePlain) }

        let lifetime = try Self.reading(try answer.lifetime("expires_in"))
        guard let lifetime else { throw .malformed(.missing(member: "expires_in"), refusal: nil) }
        let expiresAt = sentAt.adding(seconds: min(lifetime, Self.longestLife))
        guard lifetime > 0, expiresAt > now else { throw .overAlready }
        let interval = try Self.reading(try answer.lifetime("interval")) ?? Self.usualInterval
        self.init(
            deviceCode: code, userCode: userCode, verificationURI: verificationURI, verificationURIComplete: complete,
            expiresAt: expiresAt, intervalSeconds: min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound))
    }

    /// It is shown to a user unchanged, so nothing may control a terminal, or hide the rest or push it out of sight.
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
        return try reading(try answer.required(name))
    }

    private static func reading<Value>(
        _ body: @autoclosure () throws(TokenEndpointError) -> Value
    ) throws(DeviceAuthorizationError) -> Value {
        do throws(TokenEndpointError) { return try body() } catch { throw DeviceAuthorizationError(error) }
    }
}

/// Why a provider issued no code for another device.
public enum DeviceAuthorizationError: Error, Sendable, Hashable {
    /// It refused. The same request would be refused again.
    case refused(OAuthRefusal)
    /// It cannot answer now.
    case transient(TransientFailure)
    /// Its answer makes no sense. `refusal` is any error that can be read in it.
    case malformed(TokenAnswerFlaw, refusal: OAuthRefusal?)
    /// Too long, or with characters that cannot be shown.
    case invalidUserCode
    case invalidVerificationURI(EndpointURLError)
    /// The code expired before it could be shown.
    case overAlready

    init(_ error: TokenEndpointError) {
        switch error {
        case .refused(let refusal): self = .refused(refusal)
        case .transient(let failure): self = .transient(failure)
        case .malformed(let flaw, let refusal): self = .malformed(flaw, refusal: refusal)
        }
    }
}

extension DeviceAuthorizationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let refusal) where refusal.isDeviceFlowDisabled:
            "the device flow is disabled for this client; enable it in the application's settings there"
        case .refused(let refusal): "its device authorization endpoint refused: \(refusal)"
        case .transient(let failure): failure.sentence(of: "its device authorization endpoint")
        case .malformed(.redirect(let status), _):
            "its device authorization endpoint answered with a redirect (status \(status)), which is not followed; "
                + "check the device-authorization-endpoint"
        case .malformed(let flaw, let refusal?): "its device authorization endpoint refused (\(refusal)), and \(flaw)"
        case .malformed(let flaw, nil):
            flaw.sentence(of: "its device authorization endpoint", answer: "the answer of its device authorization endpoint")
        case .invalidUserCode:
            "the code that it gave is longer than \(DeviceAuthorization.longestUserCode) bytes or has characters that cannot be shown"
        case .invalidVerificationURI(let error): "its page for the code \(error)"
        case .overAlready: "the code that it gave had already expired; check this machine's clock"
        }
    }

    /// The failure of a sign-in that was to begin this way.
    public var providerFailure: ProviderFailure {
        switch self {
        case .refused(let refusal) where refusal.isDeviceFlowDisabled: .providerNotConfigured(message: description)
        case .refused(let refusal), .malformed(_, let refusal?):
            .exchangeFailed(error: refusal.error, description: refusal.errorDescription, message: description)
        case .transient: .unreachable(message: description)
        case .malformed(_, nil), .invalidUserCode, .invalidVerificationURI, .overAlready:
            .exchangeFailed(error: nil, description: nil, message: description)
        }
    }
}

extension OAuthRefusal {
    /// GitHub's error for an application whose owner has not enabled the flow.
    var isDeviceFlowDisabled: Bool { error == "device_flow_disabled" }
}
