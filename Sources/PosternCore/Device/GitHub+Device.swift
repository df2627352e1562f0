/// GitHub's device flow is for clients without a secret: none is asked for, and none is shown.
extension GitHub {
    public var authenticatesDeviceAuthorization: Bool { false }

    /// What an authorization request may carry (`allow_signup`, `login`) has no meaning here.
    public func deviceParameters(_ parameters: [String: String]) -> [String: String] { [:] }

    public func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        DeviceRequest.token(
            for: code, at: provider, from: ClientCredentials(header: nil, parameters: [("client_id", provider.clientID)]))
    }
}
