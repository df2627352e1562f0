/// How a user signs in on another device, as RFC 8628 specifies it.
extension ProviderDialect {
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
