import PosternCore
import PosternInterface

/// Which flow a sign-in uses: the one that the program names, else the one in the configuration.
extension SignInService {
    enum FlowChoice {
        case browser
        /// - alternative: the flow to use if the provider turns out to have no device flow; nil if that is an error.
        case device(alternative: ProviderFlow?)
    }

    /// - Parameter showsCode: the program accepts more than one reply, and so receives the code.
    func flow(_ given: Interface.Provider.Flow?, of provider: Provider, showsCode: Bool) throws(InterfaceError) -> FlowChoice {
        switch given.map(ProviderFlow.init) {
        case .browser?:
            guard provider.hasBrowserFlow else { throw unsupported(.browser, by: provider) }
            return .browser
        case .device?:
            // Nobody would ever see the code.
            guard showsCode else { throw .expectedMore }
            guard provider.hasDeviceFlow() != false else { throw unsupported(.device, by: provider) }
            return .device(alternative: nil)
        case nil:
            guard provider.hasBrowserFlow else {
                guard showsCode else { throw .expectedMore }
                return .device(alternative: nil)
            }
            let preferred = provider.flow ?? settings.configuration.signIn.flow
            // People's preferences must not keep a program that cannot show a code from signing in.
            guard preferred == .device, showsCode, provider.hasDeviceFlow() != false else { return .browser }
            return .device(alternative: .browser)
        }
    }

    /// A flow that a program wants for a sign-in that waits already; nil if it takes what there is.
    func flow(
        _ given: Interface.Provider.Flow?, addedTo sessionID: String, showsCode: Bool
    ) async throws(InterfaceError) -> ProviderFlow? {
        guard let given, let session = coordinator.signIns[sessionID]?.session else { return nil }
        let provider = try providers.directory.named(session.request.providerID, accounts: settings.configuration.namedAccounts)
        return try await settled(try flow(given, of: provider, showsCode: showsCode), of: provider)
    }

    /// The flow, once the provider has said whether it has a device flow.
    func settled(_ choice: FlowChoice, of provider: Provider) async throws(InterfaceError) -> ProviderFlow {
        guard case .device(let alternative) = choice else { return .browser }
        do throws(ProviderFailure) {
            if try await providers.directory.hasDeviceFlow(provider) { return .device }
        } catch {
            // The browser flow would fail the same way, and report it.
            if let alternative { return alternative }
            throw InterfaceError(error, providerID: provider.id, providerName: provider.displayName)
        }
        guard let alternative else { throw unsupported(.device, by: provider) }
        return alternative
    }

    private func unsupported(_ flow: ProviderFlow, by provider: Provider) -> InterfaceError {
        let message =
            switch flow {
            case .browser:
                "\(provider.displayName) needs a client-secret to sign in with a browser, but none is configured; use the flow device"
            case .device:
                "\(provider.displayName) does not support sign-in with a device code; use the flow browser, or configure its "
                    + "device-authorization-endpoint"
            }
        return .unsupportedFlow(message: message, providerID: provider.id, flow: flow.rawValue)
    }
}
