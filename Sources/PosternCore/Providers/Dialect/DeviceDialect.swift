/// How a provider differs when a user signs in on another device. The defaults are RFC 8628; every ``ProviderDialect`` is one.
///
/// Facebook's `device/login` and `device/login_status` are handled by the four functions: the first two requests send a client token
/// instead of a client ID, the answer calls the device code `code`, and its errors are distinguished by
/// their subcodes: 1349174 is pending, 1349172 slow down, 1349152 expired and 1349173 denied.
public protocol DeviceDialect: Sendable {
    /// False if the provider is known to have no device flow, so that its metadata need not be fetched to find one.
    var mayHaveDeviceFlow: Bool { get }

    /// A code is requested with the client's ID and the scopes alone: its secret is not expected (RFC 8628 section 3.1), and the parameters of
    /// an authorization request, which a server must ignore if it does not know them (RFC 6749 section 3.1), are refused or mean nothing.
    var wantsBareDeviceRequests: Bool { get }

    /// Requests a code to show.
    ///
    /// - Parameter parameters: the configured ones and the program's, by name.
    func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest

    func deviceAuthorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization

    /// Asks whether the user has answered. Sent repeatedly, before and after a restart.
    func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest

    /// - Parameter proofKey: the key that the poll proved possession of (RFC 9449 section 5); nil if none.
    func deviceAnswer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey?
    ) -> DeviceAnswer
}

extension DeviceDialect {
    public var mayHaveDeviceFlow: Bool { true }

    public var wantsBareDeviceRequests: Bool { false }

    public func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest {
        DeviceRequest.authorization(
            scopes: scopes, parameters: wantsBareDeviceRequests ? [:] : parameters, to: endpoint, at: provider,
            isAuthenticated: !wantsBareDeviceRequests)
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
