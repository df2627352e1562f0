/// What a provider does in its own way when a user signs in on another device. The defaults are RFC 8628; every
/// ``ProviderDialect`` is one.
///
/// Facebook's `device/login` and `device/login_status` fit in by the four functions: the first two requests carry a client token
/// in place of a client ID, the answer calls the device code `code` (``DeviceAuthorization/Members``), and its errors are told by
/// their subcodes, of which 1349174 is pending, 1349172 slow down, 1349152 expired and 1349173 denied.
public protocol DeviceDialect: Sendable {
    /// False if it is known that the provider has no device flow, so that its metadata need not be asked for one.
    var mayHaveDeviceFlow: Bool { get }

    /// A client secret is asked for at the token endpoint in this flow, too.
    var needsClientSecretForDeviceFlow: Bool { get }

    /// A client that has a secret shows it when it asks for a code (RFC 8628 section 3.1). Google wants to see the client ID alone.
    var authenticatesDeviceAuthorization: Bool { get }

    /// What of the parameters of an authorization request goes along when a code is asked for. A server must ignore what it does
    /// not know (RFC 6749 section 3.1), but some refuse it.
    func deviceParameters(_ parameters: [String: String]) -> [String: String]

    /// Asks for a code to show.
    ///
    /// - Parameter parameters: the configured ones and the program's, by name.
    func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest

    func deviceAuthorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization

    /// Asks whether the user has answered. Sent again and again, and before and after a restart.
    func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest

    /// - Parameter proofKey: that the question proved to have (RFC 9449 section 5); nil if it proved none.
    func deviceAnswer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey?
    ) -> DeviceAnswer
}

extension DeviceDialect {
    public var mayHaveDeviceFlow: Bool { true }

    public var needsClientSecretForDeviceFlow: Bool { false }

    public var authenticatesDeviceAuthorization: Bool { true }

    public func deviceParameters(_ parameters: [String: String]) -> [String: String] { parameters }

    public func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest {
        DeviceRequest.authorization(
            scopes: scopes, parameters: deviceParameters(parameters), to: endpoint, at: provider,
            isAuthenticated: authenticatesDeviceAuthorization)
    }

    public func deviceAuthorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization {
        try DeviceAuthorization(response, at: provider, sentAt: sentAt, now: now)
    }

    public func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        DeviceRequest.token(for: code, at: provider)
    }

    public func deviceAnswer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey?
    ) -> DeviceAnswer {
        DeviceAnswer(response, at: provider, scopes: scopes, sentAt: sentAt, now: now, proofKey: proofKey)
    }
}
