import PosternCore

/// What an MCP server and its issuer say when they are asked now, rule by rule. Nobody signs in, and nothing is stored.
@DaemonActor
struct ServerExamination {
    typealias Finding = ProviderExamination.Finding

    enum Client: Sendable {
        case configured, document, dynamic, none
    }

    private(set) var findings: [Finding] = []
    private(set) var found: LocatedServer?
    private(set) var client = Client.none
    /// Where the issuer has endpoints besides its own host, and nobody has agreed to it.
    private(set) var hostsToAgreeTo: [EndpointHost] = []

    private let directory: ProviderDirectory
    private let redirectURI: String

    private init(_ directory: ProviderDirectory, redirectURI: String) {
        self.directory = directory
        self.redirectURI = redirectURI
    }

    /// - Parameters:
    ///   - provider: the server's, as configured; also of one that is not.
    ///   - redirectURI: of a sign-in that would begin now.
    ///   - kept: the credential of its account.
    static func of(
        _ provider: Provider, challenge: [String]?, redirectURI: String, kept: StoredCredential?, by directory: ProviderDirectory
    ) async -> ServerExamination {
        var examination = ServerExamination(directory, redirectURI: redirectURI)
        await examination.examine(provider, challenge: challenge)
        if let found = examination.found { examination.compare(kept, with: found) }
        return examination
    }

    private mutating func add(_ level: Finding.Level, _ title: String, _ detail: String, advice: String? = nil) {
        findings.append(Finding(level: level, title: title, detail: detail, advice: advice))
    }

    private mutating func examine(_ provider: Provider, challenge: [String]?) async {
        var step = "resource metadata"
        do throws(ProviderFailure) {
            let server = try await directory.resourceServer(of: provider, challenge: challenge)
            examine(server)
            step = "issuer"
            var found = try await directory.located(server, of: provider)
            self.found = found
            examine(found)
            guard examineEndpoints(of: found) else { return }
            // What else there is to find out does not depend on who agrees.
            found.provider.server?.endpointHosts.formUnion(hostsToAgreeTo)
            step = "client"
            try await examineClient(of: found)
        } catch {
            add(.fail, step, error.message)
        }
    }

    // MARK: The server

    private mutating func examine(_ server: ResourceServer) {
        switch server.status {
        case nil: break
        case 401?: add(.ok, "server", "answers 401 to a request without a token")
        case (200..<300)?: add(.warn, "server", "answers a request without a token; perhaps it needs no sign-in")
        case let status?:
            add(
                .warn, "server", "answers \(status), and not 401, to a request without a token",
                advice: "check the URL; a server that wants a token answers 401")
        }
        guard let document = server.document else {
            return add(
                .warn, "resource metadata",
                "there are none, as with MCP 2025-03-26: its origin is taken for its issuer, and no resource is named in requests",
                advice: "serve them at \(server.missing.first?.url ?? "/.well-known/oauth-protected-resource") (RFC 9728)")
        }
        let place = server.documentURL.map { " at \($0.text)" } ?? ""
        switch server.documentSource {
        case .challenge?, nil: add(.ok, "resource metadata", "named by the challenge\(place)")
        case .path?, .root?: add(.ok, "resource metadata", "found\(place), which the challenge does not name")
        }
        for omission in document.omissions { add(.warn, "resource metadata", "\(omission)") }
        if server.isIdentical {
            add(.ok, "resource", document.resource + (server.name.map { ", which calls itself \($0)" } ?? ""))
        } else {
            add(
                .warn, "resource", "\(document.resource), which covers more than this URL: the token is good for more at that server",
                advice: "name the URL itself as resource")
        }
    }

    // MARK: The issuer

    private mutating func examine(_ found: LocatedServer) {
        let (server, issuer, provider) = (found.server, found.issuer, found.provider)
        let isChosen = provider.server?.issuer != nil
        if server.issuers.count > 1, !isChosen {
            let others = server.issuers.dropFirst().joined(separator: ", ")
            add(
                .warn, "issuer", "\(issuer.issuer) is the first of several; \(others) would do as well",
                advice: "issuer in [mcp.NAME] chooses one")
        } else {
            add(.ok, "issuer", issuer.issuer)
        }
        if issuer.isAssumed {
            add(.warn, "issuer metadata", "there are none, as with MCP 2025-03-26: its endpoints are assumed to be /authorize and /token")
        } else {
            add(.ok, "PKCE", "S256 is announced")
        }
        if let page = issuer.authorization, let origin = try? EndpointURL(issuer.issuer), !page.hasSameOrigin(as: origin) {
            add(
                .warn, "page", "the sign-in's page is at \(page.origin), and not at the issuer",
                advice: "look at its address before you agree")
        }
        if issuer.announcesResponseIssuer {
            add(.ok, "iss", "answers name the issuer, and are compared (RFC 9207)")
        } else if !issuer.isAssumed {
            add(
                .warn, "iss", "answers may not name the issuer",
                advice: "send iss, and announce authorization_response_iss_parameter_supported (RFC 9207)")
        }
        let scopes = found.scopes.requested.isEmpty ? "none" : found.scopes.requested.joined(separator: " ")
        switch found.scopes.source {
        case .configuration: add(.ok, "scopes", "\(scopes), as configured")
        case .challenge: add(.ok, "scopes", "\(scopes), as the challenge says")
        case .document: add(.ok, "scopes", "\(scopes), as the resource metadata say")
        case .nobody: add(.ok, "scopes", "\(scopes): the server names none")
        }
        if issuer.listsOfflineAccess {
            add(.ok, "refresh tokens", "offline_access is listed, which requests one")
        } else {
            add(.ok, "refresh tokens", "offline_access is not listed; only a sign-in shows whether there is a refresh token")
        }
        if issuer.revocation == nil {
            add(
                .warn, "revocation",
                "the issuer names no revocation_endpoint, so tokens cannot be revoked there and are valid until they expire")
        }
        let hint = provider.server?.login.map { "; \($0) is only a hint to its page" } ?? ""
        add(.ok, "account", "the issuer does not say who signed in, so the account is its name here\(hint)")
        if !directory.usesProxy {
            add(.ok, "addresses", "those of the issuer are public, or the server's own is not")
        } else {
            add(.warn, "addresses", "not checked: a proxy looks the names up, so a name may lead to a private address")
        }
    }

    /// - Returns: false if one is another issuer's.
    private mutating func examineEndpoints(of found: LocatedServer) -> Bool {
        let binding = directory.issuerBinding(of: found)
        let foreign = binding.foreignEndpoints(in: found.issuer)
        do throws(EndpointRefusal) {
            try binding.check(found.issuer)
            add(.ok, "endpoints", "at the issuer's own host, or at one that is known to be the issuer's")
            return true
        } catch {
            add(.fail, "endpoints", "\(error)")
        }
        if foreign.areUnknown { hostsToAgreeTo = foreign.hosts }
        return foreign.areUnknown
    }

    // MARK: The client

    private mutating func examineClient(of found: LocatedServer) async throws(ProviderFailure) {
        let provider = found.provider
        if let id = provider.clientID {
            client = .configured
            return add(.ok, "client", "\(id), as configured")
        }
        let registers = try await directory.registersClients(provider)
        switch try await directory.clientDocument(for: provider, redirectURI: redirectURI) {
        case .usable(let url):
            client = .document
            return add(.ok, "client", "the client document, \(url)")
        case .flawed(let url, let flaw):
            add(registers ? .warn : .fail, "client document", "\(url) \(flaw)")
            guard registers else { return }
        case .none: break
        }
        guard registers else {
            return add(
                .fail, "client",
                "the issuer lets no program register itself"
                    + (found.issuer.takesClientDocuments ? ", and takes client documents, but none is configured" : ""),
                advice: "register one there by hand, with the callback URL \(redirectURI), then: postern mcp add URL --client-id ID")
        }
        client = .dynamic
        add(.ok, "client", "registered at the first sign-in (RFC 7591)")
    }

    // MARK: The account

    private mutating func compare(_ kept: StoredCredential?, with found: LocatedServer) {
        guard let kept else { return }
        guard kept.binding.authority == found.provider.issuer, kept.binding.resource == found.server.resource else {
            let was =
                kept.binding.authority == found.provider.issuer
                ? "for \(kept.binding.resource ?? "no resource")" : "of \(kept.binding.authority)"
            return add(
                .fail, "signed in", "the stored token is \(was), which the server no longer names",
                advice: "postern sign-in \(kept.providerID)")
        }
        let renewal = kept.grant.refreshToken == nil ? "and cannot be renewed" : "and is renewed"
        add(
            .ok, "signed in",
            kept.grant.expiresAt.map { "the token is valid until \($0), \(renewal)" } ?? "the token has no expiry, \(renewal)")
    }
}
