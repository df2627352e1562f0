import PosternClient
import PosternConfiguration
import ProgramOptions

/// Shows the accounts; its subcommands change them.
struct AccountsCommand: OptionlessCommand {
    static let name = "accounts"
    static let aliases = ["ls"]
    static let abstract = "Show your accounts, what needs you, and the users of apps; add, rename and remove accounts."
    static let discussion = """
        A line for each account: the name that commands take, whose it is and where, its state, until when its programs get tokens without \
        you, and the URLs that its tokens are for. Of several accounts at one provider, the one that the provider's own name means is \
        marked with it, as in ada (also work). Then what needs you, each with its command; the users of apps; and accounts kept only \
        for apps' users. postern alone, on a terminal, shows the same.

        EXAMPLES
          postern accounts
          postern accounts --json |
              jq -r '.accounts[] | select(.state != "good") | .command'
          postern accounts add work --as grace
          postern accounts rename grace navy
          postern accounts remove navy
        """
    static let sections = [CommandSection([AccountsAdd.self, AccountsRename.self, AccountsRemove.self])]

    let common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let view = try AccountsView(asking: connection, try connection.call(Interface.ListCredentials()).credentials)
        guard !common.json else { return try AccountsDocument.write(view) }
        try show(view)
    }

    private func show(_ view: AccountsView) throws {
        guard !view.isEmpty else {
            let ready = view.providers.filter(\.configured)
            let name = ready.count == 1 ? ShellWord.quoted(ready[0].providerID) : "PROVIDER"
            return StandardError.note(
                "no account yet; \(ready.isEmpty ? "begin with: postern setup" : "sign in with: postern sign-in \(name)")".plain)
        }
        let text = AccountsText(view: view, times: terminal.times, width: Terminal.columns, terminal: terminal.forResults)
        try text.write { try StandardOutput.write(lines: $0) }
    }

    /// What `postern` alone does on a terminal, if there is an account.
    ///
    /// - Returns: false if nothing was shown, for whatever reason: then there is the help.
    static func isShownAlone() -> Bool {
        let terminal = Terminal.current
        guard terminal.showsResults, let connection = try? PosternConnection(socketPath: SocketPath.current) else { return false }
        defer { connection.close() }
        guard let credentials = try? connection.call(Interface.ListCredentials(), timeoutMilliseconds: 2000).credentials,
            credentials.contains(where: \.isKeptByPerson), let view = try? AccountsView(asking: connection, credentials)
        else { return false }
        return (try? AccountsCommand(common: CommonOptions()).show(view)) != nil
    }
}

extension AccountsView {
    /// The most apps whose users are shown: each is a call.
    private static let mostApps = 16

    init(asking connection: PosternConnection, _ credentials: [Interface.StoredCredential]) throws {
        let providers = try connection.call(Interface.ListProviders()).providers
        let file = try connection.call(Interface.GetStatus()).configurationFile
        // The daemon's, read here, because the daemon says nothing about URLs and [account.NAME]. Without it URLs, unused names and what a
        // provider's name means are missing.
        let settings = try? AccountFiles(mainFile: file).settings()
        self.init(credentials: credentials, providers: providers, settings: settings)
        let apps = apps(limit: Self.mostApps + 1)
        hasMoreApps = apps.count > Self.mostApps
        for app in apps.prefix(Self.mostApps) {
            guard let user = try connection.call(Interface.GetCurrentUser(app: app)).user else { continue }
            users.append(AppUser(app: app, user: user))
        }
    }
}
