import PosternCore

extension ProviderDirectory {
    /// As ``resolve(_:)``; where no device authorization endpoint is configured, the metadata are asked for one too.
    func resolveForDevice(_ provider: PosternCore.Provider) async throws(SignInFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard resolved.deviceAuthorization == nil, provider.hasDeviceFlow() == nil else { return resolved }
        return try resolution(provider, try await memory(of: provider).metadata())
    }

    /// The ways to a provider, as far as they are known now: metadata that have not been read yet may add the device flow.
    func flows(of provider: PosternCore.Provider) -> [ProviderFlow] {
        let hasDeviceFlow = provider.hasDeviceFlow(metadata: memories[provider.id]?.knownMetadata) ?? false
        return (provider.hasBrowserFlow ? [.browser] : []) + (hasDeviceFlow ? [.device] : [])
    }
}
