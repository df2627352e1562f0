import PosternCore
import PosternInterface

/// The configured providers, what is known about them, and the means to send them requests.
@DaemonActor
final class ProviderDirectory: Grounded {
    private(set) var all: [Provider]
    /// By their IDs.
    private(set) var configured: [String: ConfiguredProvider]
    private(set) var memories: [String: ProviderMemory] = [:]
    /// What each provider refused last, unless something has succeeded there since.
    private(set) var refusals: [String: ProviderRefusal] = [:]
    /// The MCP servers as they were found last.
    var located: [String: LocatedServer] = [:]
    /// Those who wait for a server to be found.
    var locating: [String: WaitingRoom<Result<Void, ProviderFailure>>] = [:]
    private let transport: any ProviderTransport
    let ground: Ground
    /// The nonces that servers want in the next proof.
    var proofNonces = DPoPNonces()
    let registrar: ClientRegistrar
    /// By how much the clocks of OAuth 1.0a providers differ from ours, as far as they have complained.
    var clocks: [String: OAuth1Clock] = [:]

    init(_ ground: Ground, all: [Provider], transport: any ProviderTransport, registrar: ClientRegistrar) {
        self.all = all
        configured = Self.byID(all)
        self.transport = transport
        self.registrar = registrar
        self.ground = ground
    }

    var cryptography: any Cryptography { platform.cryptography }

    var transportProblem: String? { transport.problem }
    var usesProxy: Bool { transport.usesProxy }
    var proxies: ProxyVariables { transport.proxies }

    /// The certificates of its `ca-file`, in PEM.
    func authorities(of provider: Provider) async throws(TransportFailure) -> String? {
        guard let file = provider.caFile else { return nil }
        return try await transport.authorities(in: file)
    }

    /// A new configuration is in force. What is known of a provider stays, unless it is another provider now.
    func replaceAll(_ providers: [Provider]) {
        let known = configured
        all = providers
        configured = Self.byID(providers)
        // A refusal says nothing about another client.
        refusals = refusals.filter { id, _ in
            guard let old = known[id], let new = configured[id] else { return false }
            return old.binding == new.binding && old.provider.clientSecret == new.provider.clientSecret
        }
        memories = memories.filter { id, memory in self[id].map(ProviderMemory.Subject.init) == memory.subject }
        located = located.filter { id, found in
            self[id]?.server == known[id]?.provider.server && self[id]?.clientID == found.provider.clientID
        }
    }

    /// Forgets the registered clients that the configuration does not want.
    func forgetUnwantedClients() async { await registrar.forgetUnwanted(by: all) }

    private static func byID(_ providers: [Provider]) -> [String: ConfiguredProvider] {
        Dictionary(providers.map { ($0.id, ConfiguredProvider($0)) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(id: String) -> Provider? { configured[id]?.provider }

    func displayName(_ id: String) -> String { self[id]?.displayName ?? id }

    /// - Throws: if there is none with that name, or it lacks something that it needs.
    func configured(_ id: String) throws(ProviderUnavailable) -> Provider { try usable(id).provider }

    /// As ``configured(_:)``, without a copy of the provider.
    func usable(_ id: String) throws(ProviderUnavailable) -> ConfiguredProvider {
        guard let known = configured[id] else { throw .unknown(id, known: all.map(\.id)) }
        if let problem = known.provider.problem { throw .unusable(known.provider, problem: problem) }
        return known
    }

    /// The provider that a program names.
    ///
    /// - Parameter accounts: the accounts in the configuration that the program could have named instead.
    func named(_ id: String, accounts: AccountDirectory? = nil) throws(InterfaceError) -> Provider {
        do throws(ProviderUnavailable) { return try configured(id) } catch {
            throw InterfaceError(error, accounts: accounts?.accounts.map(\.name) ?? [])
        }
    }

    /// A client that an application brought is only for its own sign-ins.
    static func check(_ provider: Provider, isFor app: AppName) throws(InterfaceError) {
        guard let own = provider.app, own != app else { return }
        throw .providerNotConfigured(
            message: "the client of \(provider.id) is only for the app \(own)\(app.isEmpty ? "" : ", not for \(app)")",
            providerID: provider.id)
    }

    /// Everybody who signs in at a provider that says nothing about the person would be the same user of an app.
    static func checkNamesPeople(_ provider: Provider) throws(InterfaceError) {
        guard !provider.namesPeople else { return }
        let advice = provider.server == nil ? ", or give it a userinfo-endpoint" : ""
        throw .providerNotConfigured(
            message: "\(provider.displayName) says nothing about who signs in, so nobody can sign in to an app with it; "
                + "use it for its tokens, with `postern sign-in \(provider.id)`\(advice)", providerID: provider.id)
    }

    /// The provider that something was begun with.
    ///
    /// - Throws: if its name in the configuration now belongs to another one, or to none.
    func provider(_ id: String, boundTo binding: ProviderBinding) throws(ProviderFailure) -> Provider {
        guard let known = configured[id] else {
            throw .providerNotConfigured(message: "the provider \(id) is no longer configured")
        }
        let provider = known.provider
        // Without the secret that it lacks, the request would be refused and what it carries used up.
        if let problem = provider.problem {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(problem)")
        }
        guard let client = client(of: known, boundTo: binding) else {
            throw .providerNotConfigured(
                message: "\(provider.displayName) has a different issuer, token endpoint or client ID than when this began, "
                    + "so nothing was sent there; sign in again")
        }
        return client.provider
    }

    // MARK: Refusals

    func refused(_ failure: ProviderFailure, at providerID: String) {
        guard let refusal = ProviderRefusal(failure, at: platform.now) else { return }
        refusals[providerID] = refusal
    }

    /// The provider accepted the client, and what it was sent.
    func succeeded(at providerID: String) { refusals[providerID] = nil }

    /// A provider's words may name a person.
    func forgetRefusals() { refusals = [:] }

    // MARK: Requests

    /// Sends a request once.
    ///
    /// - Throws: with whether the provider may have received it.
    func send(_ request: ProviderRequest, to provider: Provider) async throws(ProviderFailure) -> ProviderResponse {
        var request = request
        // What a server's documents name may be anywhere.
        if request.addresses == .any { request.addresses = provider.addressRule }
        do throws(TransportFailure) {
            return try await transmit(request, caFile: provider.caFile)
        } catch {
            throw .unreachable(message: "\(provider.displayName): \(error)").after(error.mayHaveReachedServer ? .unanswered : .notSent)
        }
    }

    /// As ``send(_:to:)``, for a Firebase project that has the accounts.
    func send(toFirebase request: ProviderRequest) async throws(FirebaseRefusal) -> ProviderResponse {
        do throws(TransportFailure) {
            return try await transmit(request, caFile: nil)
        } catch {
            throw FirebaseRefusal(.networkError, detail: "\(error)")
        }
    }

    /// The only way to a provider: nothing sees an answer before the request's secrets are struck from what it says.
    private func transmit(_ request: ProviderRequest, caFile: String?) async throws(TransportFailure) -> ProviderResponse {
        try await platform.work.count { () async throws(TransportFailure) in
            try await transport.send(request, caFile: caFile, maximumBodyBytes: nil).withoutEcho(of: request)
        }
    }

    // MARK: What providers announce

    /// The provider with its endpoints known.
    func resolve(_ provider: Provider) async throws(ProviderFailure) -> ResolvedProvider {
        try resolution(provider, try await metadata(of: provider, and: []))
    }

    /// As ``metadata(of:)``, with these endpoints and those that the provider's settings require, wherever the provider names them.
    func metadata(
        of provider: Provider, and endpoints: [WritableKeyPath<ProviderMetadata, EndpointURL?> & Sendable]
    ) async throws(ProviderFailure) -> ProviderMetadata? {
        guard let metadata = try await metadata(of: provider) else { return nil }
        let missing = provider.endpointsMissing(in: metadata) + endpoints
        guard !missing.isEmpty else { return metadata }
        let supplied = try await memory(of: provider).metadata(supplying: missing)
        try requireOwnEndpoints(in: supplied, of: provider)
        return supplied
    }

    /// Nil for a provider with configured endpoints.
    ///
    /// - Throws: also if they name an endpoint that is not the issuer's own.
    func metadata(of provider: Provider) async throws(ProviderFailure) -> ProviderMetadata? {
        guard provider.needsDiscovery else { return nil }
        let metadata = try await memory(of: provider).metadata()
        try requireOwnEndpoints(in: metadata, of: provider)
        return metadata
    }

    /// As ``resolve(_:)``; if no revocation endpoint is known, it is also looked for in the OAuth metadata (RFC 8414).
    func resolveForRevocation(_ provider: Provider) async throws(ProviderFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard resolved.revocation == nil, let revocation = await memory(of: provider).supplement(\.revocation) else { return resolved }
        var provider = provider
        provider.endpoints.revocation = revocation.text
        return try resolution(provider, try await metadata(of: provider, and: []))
    }

    /// As ``resolveForRevocation(_:)``, for the endpoint that says whose an access token is.
    func resolveForIntrospection(_ provider: Provider) async throws(ProviderFailure) -> ResolvedProvider {
        let resolved = try await resolve(provider)
        guard resolved.introspection == nil, let introspection = await memory(of: provider).supplement(\.introspection) else {
            return resolved
        }
        var provider = provider
        provider.endpoints.introspection = introspection.text
        return try resolution(provider, try await metadata(of: provider, and: []))
    }

    func resolution(
        _ provider: Provider, _ metadata: ProviderMetadata?
    ) throws(ProviderFailure) -> ResolvedProvider {
        do throws(ProviderProblem) {
            let prepared = try provider.dialect.prepared(provider, cryptography: cryptography, now: platform.now)
            return try ResolvedProvider(prepared, metadata: metadata)
        } catch {
            throw .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(error)")
        }
    }

    func keys(of provider: ResolvedProvider) async throws(ProviderFailure) -> KeySetCache.Copy {
        try await memory(of: provider.provider).keys(at: provider.jwks)
    }

    /// The keys as they are now, for a token that none of the known ones fits; nil if they were requested too often.
    func keysReadAnew(
        of provider: ResolvedProvider, insteadOf copy: KeySetCache.Copy, for origin: IDTokenOrigin
    ) async throws(ProviderFailure) -> KeySetCache.Copy? {
        try await memory(of: provider.provider).keysReadAnew(at: provider.jwks, insteadOf: copy, for: origin)
    }

    /// A caller that still uses a provider as it was before a reload gets a memory of its own.
    func memory(of provider: Provider) -> ProviderMemory {
        let subject = ProviderMemory.Subject(provider)
        if let memory = memories[provider.id], memory.subject == subject { return memory }
        return keep(newMemory(of: provider), for: provider)
    }

    /// What the provider's documents say now. If no usable ones can be obtained, what is remembered stays in use.
    func readAnew(_ provider: Provider) async throws(ProviderFailure) -> ProviderMemory {
        let memory = newMemory(of: provider)
        if provider.needsDiscovery { _ = try await memory.metadata() }
        return keep(memory, for: provider)
    }

    private func newMemory(of provider: Provider) -> ProviderMemory {
        ProviderMemory(of: provider, platform: platform, events: events) { [weak self] request throws(ProviderFailure) in
            guard let self else { throw .unreachable(message: "the daemon is stopping") }
            return try await self.sendForDocument(request, to: provider)
        }
    }

    /// Nothing of what is sent for a document is valid only once.
    func sendForDocument(_ request: ProviderRequest, to provider: Provider) async throws(ProviderFailure) -> ProviderResponse {
        do throws(ProviderFailure) { return try await send(request, to: provider) } catch { throw error.after(.notSent) }
    }

    private func keep(_ memory: ProviderMemory, for provider: Provider) -> ProviderMemory {
        // An MCP server's provider is known only as it was found.
        if self[provider.id].map({ $0.server != nil || ProviderMemory.Subject($0) == memory.subject }) == true {
            memories[provider.id] = memory
        }
        return memory
    }
}

/// A configured provider. Every call for a token reads one, and a provider is large to copy.
@DaemonActor
final class ConfiguredProvider {
    nonisolated let provider: Provider
    /// What is begun with the provider now is bound to this. Kept, because parsing the endpoint's URL again would take most of a call's
    /// time.
    private(set) lazy var binding = provider.binding

    nonisolated init(_ provider: Provider) { self.provider = provider }
}
