import PosternCore

extension ProviderDirectory {
    /// As ``resolve(_:)``; if no device authorization endpoint is configured, it is also looked for in the metadata.
    func resolveForDevice(_ provider: Provider) async throws(ProviderFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard resolved.deviceAuthorization == nil, provider.hasDeviceFlow() == nil else { return resolved }
        return try resolution(provider, try await metadata(of: provider, and: [\.deviceAuthorization]))
    }

    /// Whether a code can be obtained there; the metadata are read if only they can answer. No client need be known for it: the sign-in
    /// that follows may be what registers one.
    func hasDeviceFlow(_ provider: Provider) async throws(ProviderFailure) -> Bool {
        if let known = provider.hasDeviceFlow() { return known }
        return provider.hasDeviceFlow(metadata: try await memory(of: provider).metadata(supplying: [\.deviceAuthorization])) ?? false
    }

    /// The provider's flows, as far as they are known now: metadata that have not been read yet may add the device flow.
    func flows(of provider: Provider) -> [ProviderFlow] {
        let hasDeviceFlow = provider.hasDeviceFlow(metadata: memories[provider.id]?.knownMetadata) ?? false
        return (provider.hasBrowserFlow ? [.browser] : []) + (hasDeviceFlow ? [.device] : [])
    }
}
