import PosternCore

/// `flow`: how people sign in where a program does not say.
extension ProviderSection {
    /// - Parameter provider: with its endpoints and its issuer.
    func flow(of provider: Provider) throws(ConfigurationError) -> ProviderFlow? {
        guard let flow: ProviderFlow = try table.word("flow") else { return nil }
        // What its metadata will say is not known yet.
        if flow == .device, provider.hasDeviceFlow() == false {
            throw table.error("flow", "must not be \"device\" without a device-authorization-endpoint")
        }
        return flow
    }

    /// Without a secret such a provider can be signed in to by a code, and in no other way.
    func isForDevicesAlone(_ template: Provider, hasSecret: Bool, flow: ProviderFlow?) -> Bool {
        flow == .device && !hasSecret && template.dialect.needsClientSecret && !template.dialect.needsClientSecretForDeviceFlow
            && table["client-authentication"] == nil
    }
}
