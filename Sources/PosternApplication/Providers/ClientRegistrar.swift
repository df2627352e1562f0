import PosternCore

/// Keeps the clients that providers registered, and makes sure that each provider registers only one.
@DaemonActor
final class ClientRegistrar: Grounded {
    private struct Key: Hashable {
        var providerID: String
        var redirectURI: String
    }

    private var known = ClientRegistrations()
    /// By provider: clients that may request less than they were registered for. What was begun with them goes on.
    private var narrow: [String: Set<String>] = [:]
    /// Those who wait for a registration under way; if it fails, they all fail.
    private var underWay: [Key: WaitingRoom<Result<Void, ProviderFailure>>] = [:]
    let ground: Ground
    private let origins: CallbackOrigins
    private let cache: CredentialCache

    init(_ ground: Ground, origins: CallbackOrigins, cache: CredentialCache) {
        self.ground = ground
        self.origins = origins
        self.cache = cache
    }

    /// A stored credential is bound to it.
    private func isUsed(_ client: RegisteredClient) -> Bool {
        cache.credentials(providerID: client.providerID).contains { $0.binding.clientID == client.clientID }
    }

    /// Where the browser returns when a session was ended.
    var signedOutURI: String { origins.first + EndSessionPages.returnPath }

    /// Restores what the last run of the daemon registered.
    func restore(_ clients: [RegisteredClient]) {
        known = ClientRegistrations(clients)
        narrow = [:]
    }

    /// The provider with the client that something was begun with; nil if that client is no longer known.
    func provider(_ provider: Provider, boundTo binding: ProviderBinding) -> Provider? {
        known.client(of: provider, boundTo: binding).map { provider.speaking(as: $0) }
    }

    /// The provider with its client, which is registered if there is none yet.
    ///
    /// - Parameter register: asks the provider to register one.
    func provider(
        _ provider: Provider, redirectURI: String,
        register: @DaemonActor () async throws(ProviderFailure) -> RegisteredClient
    ) async throws(ProviderFailure) -> Provider {
        let key = Key(providerID: provider.id, redirectURI: redirectURI)
        while true {
            let client = known.client(for: provider, redirectURI: redirectURI, now: platform.now)
            if let client, narrow[provider.id]?.contains(client.clientID) != true {
                return provider.speaking(as: client)
            }
            guard let room = underWay[key] else { break }
            try await room.wait(while: { underWay[key] === room })?.get()
        }
        underWay[key] = WaitingRoom()
        var ending = Result<Void, ProviderFailure>.success(())
        defer { underWay.removeValue(forKey: key)?.release(with: ending) }
        do throws(ProviderFailure) {
            // Checked first: if the client cannot be stored, there is no point in registering it.
            _ = try openStore()
            let client = try await register()
            known.add(client, isUsed: isUsed)
            do throws(ProviderFailure) { try await save() } catch {
                // What is obtained with it would be bound to a client that nobody knows after a restart.
                _ = known.forget(client.clientID, of: provider.id)
                throw error
            }
            events.report(.configuration, "a client was registered at \(provider.displayName)", level: .notice, providerID: provider.id)
            return provider.speaking(as: client)
        } catch {
            ending = .failure(error)
            throw error
        }
    }

    /// As another program's client would be kept, before anything is sent with it.
    ///
    /// - Returns: the client as it is known here.
    func check(imported client: RegisteredClient) throws(ImportedClient.Refusal) -> RegisteredClient {
        var known = known
        return try known.keep(imported: client, isUsed: isUsed)
    }

    /// Keeps another program's client, which has renewed its refresh token.
    func keep(imported client: RegisteredClient) async throws(ProviderFailure) {
        _ = try openStore()
        let before = known.all
        do throws(ImportedClient.Refusal) { try known.keep(imported: client, isUsed: isUsed) } catch {
            throw .internal(message: "the token's client cannot be kept: other clients have taken its place; try again")
        }
        guard known.all != before else { return }
        try await save()
    }

    /// An issuer refused a scope that this client was registered for: what begins next gets another client.
    func mayNotRequestAll(_ clientID: String, of providerID: String) {
        let ours = Set(known.all.filter { $0.providerID == providerID }.map(\.clientID))
        narrow[providerID] = narrow[providerID, default: []].union([clientID]).intersection(ours)
    }

    /// The provider does not know this client any more; the next sign-in registers another.
    func forget(_ clientID: String, of providerID: String, by registrar: String?) async {
        guard known.forget(clientID, of: providerID, by: registrar) else { return }
        events.report(
            .providerProblem, "\(providerID) no longer knows its registered client, which was forgotten", providerID: providerID)
        await saveOrSay()
    }

    /// If a configuration names the client again, or wants none registered, the registered ones are removed.
    func forgetUnwanted(by providers: [Provider]) async {
        if known.forgetUnwanted(by: providers) { await saveOrSay() }
    }

    private func openStore() throws(ProviderFailure) -> any ApplicationStore {
        do throws(StoreError) {
            return try store.opened()
        } catch {
            throw .storeUnavailable(message: "a registered client could not be saved: \(error)")
        }
    }

    private func save() async throws(ProviderFailure) {
        let store = try openStore()
        let clients = known.all
        do { try await store.keep(registeredClients: clients) } catch {
            throw .storeUnavailable(message: "a registered client could not be saved: \(error)")
        }
    }

    private func saveOrSay() async {
        do throws(ProviderFailure) { try await save() } catch { events.report(.storeProblem, "\(error)", level: .warning) }
    }
}
