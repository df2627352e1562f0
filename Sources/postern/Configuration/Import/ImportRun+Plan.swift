import PosternClient

/// Where an account of the other program belongs here.
extension ImportRun {
    /// Why the token must not go to the provider that was named: it is of another host.
    func otherHost(of account: ForeignAccount, _ existing: ExistingConfiguration) throws -> CommandFailure? {
        guard program.hasOwnClient, let id = command.provider, let host = account.host, let provider = account.provider else { return nil }
        guard let server = existing.server(of: id) else { return nil }
        guard provider.isServed(by: server) else {
            return CommandFailure("\(account.name) is skipped: its token is of \(host), and \(id) is at \(server.address)".plain)
        }
        guard try existing.mayGetTokens(id) else {
            return CommandFailure("\(account.name) is skipped: a package's file says where \(id) sends tokens".plain)
        }
        return nil
    }

    func plan(
        for account: ForeignAccount, _ existing: ExistingConfiguration, _ connection: PosternConnection
    ) throws -> ImportPlan {
        let name = command.newName ?? ImportPlan.name(from: account.name)
        let providers = try connection.call(Interface.ListProviders()).providers
        if let id = command.provider {
            guard providers.contains(where: { $0.providerID == id && $0.configured }) else {
                throw CommandFailure("no provider \(id) is configured".plain, advice: "list them with: postern provider list")
            }
            let server = existing.server(of: id)
            // The daemon has another configuration: where it sends the token is unknown here.
            guard server != nil || !program.hasOwnClient else {
                throw CommandFailure(
                    "\(id) is not in \(directory.main)".plain,
                    advice: "give the configuration that the daemon was started with: --config FILE")
            }
            var plan = ImportPlan(
                name: name, login: command.login ?? account.login, providerID: id, isProviderThere: true, provider: .builtIn(id),
                clientID: server?.clientID ?? account.clientID ?? "", scopes: account.scopes, refreshToken: refreshToken(of: account))
            plan.address = server?.address ?? ""
            plan.accessToken = accessToken(of: account)
            return try checked(plan, existing, providers)
        }
        guard let provider = command.issuer.map({ Self.known(.issuer($0)) }) ?? account.provider.map(Self.known) else {
            throw CommandFailure(
                "\(account.name): its provider is unknown".plain,
                advice: "say which it is: --provider NAME for one of the configuration, --issuer URL for another OpenID provider")
        }
        if program.hasOwnClient { return try plan(for: account, of: provider, named: name, existing, providers) }
        let (clientID, secret) = try client(of: account)
        var plan = ImportPlan(
            name: name, login: command.login ?? account.login, providerID: "", isProviderThere: false, provider: provider,
            clientID: clientID, clientSecret: secret, userinfoEndpoint: command.userinfoEndpoint, scopes: account.scopes,
            refreshToken: refreshToken(of: account))
        if let id = try existing.providers(for: provider, clientID: clientID).first {
            plan.use(id, at: existing.server(of: id))
            return try checked(plan, existing, providers)
        }
        if case .endpoints = provider, command.userinfoEndpoint == nil {
            throw CommandFailure(
                "\(account.name): \(provider.description) does not say whose token it is".plain,
                advice: "give its issuer with --issuer if it is an OpenID provider, or else --userinfo-endpoint")
        }
        let wanted = Self.providerID(of: provider)
        // The same client of the same server needs no second provider; a different one does.
        for id in [wanted, "\(wanted)-\(name)"] {
            if let server = existing.server(of: id) {
                if server.clientID == clientID, plan.provider.isServed(by: server), try existing.mayGetTokens(id) {
                    plan.use(id, at: server)
                    break
                }
            } else if plan.provider.mayBeCalled(id), !providers.contains(where: { $0.providerID == id && $0.configured }) {
                plan.providerID = id
                plan.address = plan.provider.address
                break
            }
            if case .builtIn(let known, let tenant) = provider { plan.provider = try Self.standard(known, tenant: tenant) }
        }
        guard !plan.providerID.isEmpty else {
            throw CommandFailure(
                "\(wanted) is already configured with another client or server".plain, advice: "name a provider with --provider")
        }
        return try checked(plan, existing, providers)
    }

    /// An account whose token is of the other program's own client: the provider is one that is set up here, with a client of the person's.
    private func plan(
        for account: ForeignAccount, of provider: ForeignProvider, named name: String, _ existing: ExistingConfiguration,
        _ providers: [Interface.Provider]
    ) throws -> ImportPlan {
        let host = account.host ?? provider.address
        let ids = try existing.providers(for: provider, clientID: nil)
        guard let id = ids.first else {
            let advice =
                host == "github.com"
                ? "postern setup github.com sets it up; then run this again"
                : "set it up with host = \"\(host)\" in [provider.\"github.com\"], or name another provider of it with --provider"
            throw CommandFailure(
                "\(account.name): no provider for \(host) is set up here; \(program.rawValue) signs in as an application of its own".plain,
                advice: advice.plain)
        }
        guard ids.count == 1 else {
            throw CommandFailure(
                "\(account.name): several providers are for \(host): \(ids.joined(separator: ", "))".plain,
                advice: "choose one with --provider")
        }
        let server = existing.server(of: id)
        var plan = ImportPlan(
            name: name, login: command.login ?? account.login, providerID: "", isProviderThere: true, provider: provider,
            clientID: server?.clientID ?? "", scopes: [])
        plan.use(id, at: server)
        plan.accessToken = accessToken(of: account)
        return try checked(plan, existing, providers)
    }

    /// An account that is in any file is not overwritten: keys that only one of the two has would be mixed.
    private func checked(
        _ plan: ImportPlan, _ existing: ExistingConfiguration, _ providers: [Interface.Provider]
    ) throws -> ImportPlan {
        var plan = plan
        // Accounts and providers share their names.
        if command.newName == nil, plan.name == plan.providerID || providers.contains(where: { $0.providerID == plan.name }) {
            plan.name += "-account"
        }
        guard let account = try existing.account(plan.name) else { return plan }
        // An earlier, unsuccessful import keeps what it wrote if the user only has to sign in.
        let isNamed = account.login != nil || account.files == [directory.file(of: plan.name)]
        guard plan.isProviderThere, account.providerID == plan.providerID, account.login?.lowercased() == plan.login?.lowercased(), isNamed
        else {
            throw CommandFailure(
                "\(account.files.joined(separator: ", ")) already has [account.\(plan.name)], for another account".plain,
                advice: "choose another name with --as")
        }
        plan.accountFiles = account.files
        return plan
    }

    private func refreshToken(of account: ForeignAccount) -> Secret? { command.configurationOnly ? nil : account.refreshToken }

    private func accessToken(of account: ForeignAccount) -> Secret? { command.configurationOnly ? nil : account.accessToken }

    private func client(of account: ForeignAccount) throws -> (String, Secret?) {
        var secret = account.clientSecret
        if let file = command.clientSecretFile {
            let line = try SecretFile.line(of: ForeignFile.read(file), from: file)
            secret = line.isEmpty ? nil : Secret(line)
        }
        if let id = command.clientID ?? account.clientID { return (id, secret) }
        guard let prompt else {
            throw CommandFailure(
                "\(account.name): its client is not in the file".plain, status: .wrongUsage, advice: "give it with --client-id")
        }
        prompt.say("\(account.name): its client is not in the file; the other program's script or configuration has it".plain)
        let id = try prompt.line("client ID:")
        guard !id.isEmpty else { throw CommandFailure("no client was given", status: .declined) }
        if secret == nil {
            let text = try prompt.secret("client secret (empty if there is none):")
            if !text.isEmpty { secret = Secret(text) }
        }
        return (id, secret)
    }

    /// The issuers of the built-in providers.
    private static func known(_ provider: ForeignProvider) -> ForeignProvider {
        guard case .issuer(let issuer) = provider else { return provider }
        let parts = issuer.parts(separator: "/")
        guard parts.count >= 2, parts[0] == "https:" else { return provider }
        switch parts[1] {
        case "accounts.google.com": return .builtIn("google.com")
        case "login.microsoftonline.com" where parts.count >= 3: return .builtIn("microsoft.com", tenant: String(parts[2]))
        default: return provider
        }
    }

    /// As an ordinary OpenID provider, besides the built-in one, which has another client.
    private static func standard(_ id: String, tenant: String?) throws(CommandFailure) -> ForeignProvider {
        switch id {
        case "google.com": return .issuer("https://accounts.google.com")
        case "microsoft.com":
            guard let tenant, !["common", "organizations", "consumers"].contains(tenant) else {
                throw CommandFailure(
                    "microsoft.com is already configured with another client or tenant",
                    advice: "name a provider with --provider, or a tenant's --issuer")
            }
            return .issuer("https://login.microsoftonline.com/\(tenant)/v2.0")
        default: throw CommandFailure("\(id) is already configured with another client", advice: "name a provider with --provider")
        }
    }

    /// A name for the provider: that of the built-in one, or of its host.
    private static func providerID(of provider: ForeignProvider) -> String {
        switch provider {
        case .builtIn(let id, _): return id
        case .issuer(let url), .endpoints(_, let url):
            let parts = url.parts(separator: "/")
            return ImportPlan.name(from: parts.count > 1 ? String(parts[1]) : url)
        }
    }
}
