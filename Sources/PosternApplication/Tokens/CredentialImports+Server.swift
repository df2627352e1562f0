import PosternCore

/// Tokens of an MCP server, whose issuer is found and whose client is the other program's.
extension CredentialImports {
    /// What the other program knows of its token.
    struct Origin: Sendable {
        var clientID: String?
        var clientSecret: Secret?
        /// What it is for (RFC 8707).
        var resource: String?
        var issuer: String?
        var tokenEndpoint: String?

        var isEmpty: Bool { clientID == nil && clientSecret == nil && resource == nil && issuer == nil && tokenEndpoint == nil }
    }

    /// Whom a token is sent to, and with which client.
    struct Recipient: Sendable {
        /// As the configuration has it.
        var configured: Provider
        /// Located, with the client that the token was issued to.
        var provider: Provider
        /// The other program's, to be kept with the token; nil if the configuration names the client.
        var client: RegisteredClient?
    }

    func recipient(of request: Request) async throws(ImportFailure) -> Recipient {
        let configured: Provider
        do throws(ProviderUnavailable) { configured = try providers.directory.configured(request.providerID) } catch {
            throw .provider(error)
        }
        guard let server = configured.server else {
            guard request.origin.isEmpty else {
                throw .unsupported("only the token of an MCP server ([mcp.NAME]) brings its own client, resource or issuer")
            }
            return Recipient(configured: configured, provider: configured)
        }
        try requireVacant(request)
        let clientID = try Self.clientID(of: request.origin, at: configured)
        // Counted before the server is asked who issues its tokens.
        try takeTurn(at: configured)
        var located: Provider
        let metadata: ProviderMetadata?
        do throws(ProviderFailure) {
            located = try await providers.directory.withIssuer(configured, replacing: nil)
            metadata = try await providers.directory.metadata(of: located)
        } catch {
            throw .signIn(error)
        }
        try requireNotClosing()
        let tokenEndpoint = located.endpoints.token ?? metadata?.token?.text
        try Self.requireAgreement(of: request.origin, with: located, tokenEndpoint: tokenEndpoint, server)
        if configured.clientID != nil { return Recipient(configured: configured, provider: located) }
        do throws(ImportedClient.Refusal) {
            let client = try ImportedClient.client(
                clientID, secret: request.origin.clientSecret, scopes: request.scopes, of: located,
                methods: metadata?.clientAuthenticationMethods)
            let kept = try providers.directory.registrar.check(imported: client)
            located = located.speaking(as: kept)
            return Recipient(configured: configured, provider: located, client: kept)
        } catch {
            throw .clientRefused(error)
        }
    }

    func takeTurn(at provider: Provider) throws(ImportFailure) {
        if let seconds = limits.wait(providerID: provider.id, now: platform.now) { throw .tooMany(retryAfterSeconds: seconds) }
    }

    /// An MCP server has one account: an import would replace whatever it has.
    private func requireVacant(_ request: Request) throws(ImportFailure) {
        guard !request.replaces, let held = providers.cache.credentials(providerID: request.providerID).first else { return }
        throw .exists(held)
    }

    private static func clientID(of origin: Origin, at provider: Provider) throws(ImportFailure) -> String {
        guard let configured = provider.clientID else {
            guard let clientID = origin.clientID else {
                throw .unsupported("it is not said which client the token was issued to (clientID)")
            }
            return clientID
        }
        guard origin.clientID ?? configured == configured, origin.clientSecret ?? provider.clientSecret == provider.clientSecret else {
            throw .unsupported("[mcp.\(provider.id)] names another client than the token was issued to, or another secret")
        }
        return configured
    }

    // MARK: Who issued it

    /// The token goes to whom the server names now. Where the other program knows who issued it, the server must not name somebody else: it
    /// could have been changed for just that.
    private static func requireAgreement(
        of origin: Origin, with provider: Provider, tokenEndpoint: String?, _ server: MCPServer
    ) throws(ImportFailure) {
        if let issuer = origin.issuer, !issuer.isSameURL(as: provider.issuer) {
            throw .otherIssuer(issuer, found: provider.issuer ?? tokenEndpoint ?? "", server: server.url.text)
        }
        if let endpoint = origin.tokenEndpoint, endpoint != tokenEndpoint {
            throw .otherIssuer(endpoint, found: tokenEndpoint ?? provider.issuer ?? "", server: server.url.text)
        }
        // Good for what the server's tokens are for, or for more of that server.
        if let resource = origin.resource, !covers(resource, provider.server?.resource ?? server.url.text) {
            throw .otherResource(resource, found: provider.server?.resource ?? server.url.text)
        }
    }

    private static func covers(_ resource: String, _ found: String) -> Bool {
        if resource == found { return true }
        guard let prefix = try? URLPrefix(resource), let url = try? URLPrefix.AskedURL(found) else { return false }
        return prefix.closeness(to: url) != nil
    }

    // MARK: Keeping its client

    func keepClient(of recipient: Recipient) async throws(ImportFailure) {
        guard let client = recipient.client else { return }
        do throws(ProviderFailure) { try await providers.directory.registrar.keep(imported: client) } catch {
            throw .signIn(error)
        }
    }

    /// A reload may have given the name to another server meanwhile.
    func requireTheSameServer(as recipient: Recipient) throws(ImportFailure) {
        let now = providers.directory[recipient.configured.id]
        guard let now, now.server == recipient.configured.server, now.clientID == recipient.configured.clientID else {
            throw .signIn(
                .providerNotConfigured(
                    message: "[mcp.\(recipient.configured.id)] has changed since the import began, so nothing was stored"))
        }
    }
}
