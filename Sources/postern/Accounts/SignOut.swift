import PosternClient
import ProgramOptions

struct SignOut: DaemonCommand {
    static let name = "sign-out"
    static let abstract = "Forget an account, and revoke its tokens at the provider; or sign an app's user out."
    static let aliases = ["logout"]
    static let discussion = """
        With an account it ends what postern sign-in began: your programs get no more tokens of it. If users of apps have it, too, it \
        says so, since they lose the tokens as well. On a terminal it asks first. With --keep-grant the provider is left alone.

        With --app it signs that app's user out. The user and all tokens stay.

        With neither, it does the only thing it can mean, once you agree; if it could mean several things, it names them and ends \
        with status 64.

        EXAMPLES
          postern sign-out github.com
          postern sign-out ada@example.com --yes
          postern sign-out work --account ada@example.com --keep-grant
          postern sign-out --app my-tool
        """

    let account: String?
    let options: RemovalOptions
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        account = line.optionalArgument(
            "account", .names(.keptAccounts), help: "The account: its name in the configuration, its address, or its provider.")
        options = RemovalOptions(&line)
        common = line.userOptions(help: "Sign the user of this app out; tokens stay.")
    }

    func validate() throws(UsageError) {
        try options.validate()
        guard account == nil || common.givenApp == nil else {
            throw UsageError("an account belongs to no app: give the account, or --app for an app's user")
        }
        guard account != nil || options.account == nil && !options.keepGrant && !options.endSession else {
            throw UsageError("--account, --keep-grant and --end-session go with an account")
        }
    }

    func perform() throws {
        let dialogue = try AccountDialogue(common: common)
        if let account {
            try AccountRemoval(word: account, options: options, dialogue: dialogue).run()
        } else if let app = common.givenApp {
            try end(app, dialogue)
        } else {
            try endTheOnlyOne(dialogue)
        }
    }

    private func end(_ app: String, _ dialogue: AccountDialogue) throws {
        let reply = try dialogue.raw(Interface.SignOut(app: app))
        guard try common.reply(Interface.SignOut.Reply.self, from: reply) != nil else { return }
        StandardError.note("signed out of the app \(app); tokens stay, and postern sign-out ACCOUNT ends those of an account".plain)
    }

    /// What a sign-out without a name can mean.
    private enum Meaning {
        case account(StoredCredential)
        case user(User, app: String)
    }

    private func endTheOnlyOne(_ dialogue: AccountDialogue) throws {
        let kept = try dialogue.call(Interface.ListCredentials()).credentials
        let providers = try dialogue.call(Interface.ListProviders()).providers
        let meanings = try meanings(kept, dialogue)
        func command(_ meaning: Meaning) -> String {
            switch meaning {
            case .account(let account): "postern sign-out \(AccountText.words(for: account, among: kept))"
            case .user(_, let app): "postern sign-out --app \(ShellWord.quoted(app))"
            }
        }
        guard let only = meanings.first else {
            if common.json { try StandardOutput.write(document: [:]) }
            return StandardError.note("there is nothing to sign out of: no account is kept here, and nobody is signed in to an app")
        }
        guard meanings.count == 1 else {
            let names = meanings.map { meaning in
                switch meaning {
                case .account(let account): AccountText(account, among: providers).description
                case .user(let user, let app): "the user \(PersonText.name(of: user)) of the app \(app)"
                }
            }
            throw CommandFailure(
                "this could mean several things: \(Self.list(names, separator: ", "))".plain, status: .wrongUsage,
                advice: "say which: \(Self.list(meanings.map(command), separator: "; "))".plain)
        }
        guard options.yes || dialogue.prompt != nil else {
            throw CommandFailure.noTerminal(to: "ask whether to sign out", advice: "to sign out without asking: \(command(only))".plain)
        }
        switch only {
        case .account(let account):
            try AccountRemoval(word: account.providerID, options: options, dialogue: dialogue).run(account)
        case .user(let user, let app):
            if let prompt = dialogue.prompt, !options.yes {
                guard try prompt.isYes("Sign \(PersonText.name(of: user)) out of the app \(app.plain)? Tokens stay.", byDefault: true)
                else {
                    throw AccountDialogue.declined
                }
            }
            try end(app, dialogue)
        }
    }

    private func meanings(_ kept: [StoredCredential], _ dialogue: AccountDialogue) throws -> [Meaning] {
        // The interface lists no apps; these are the ones that are known to have a user.
        var apps = ["default"]
        for app in kept.flatMap(\.apps) where !apps.contains(app) && apps.count < Self.mostApps { apps.append(app) }
        let users = try apps.compactMap { app in
            try dialogue.call(Interface.GetCurrentUser(app: app)).user.map { Meaning.user($0, app: app) }
        }
        return kept.filter(\.isKeptByPerson).map(Meaning.account) + users
    }

    /// More than a person can have in mind when naming none.
    private static let mostApps = 16

    private static func list(_ words: [String], separator: String) -> String {
        let shown = 6
        return words.prefix(shown).joined(separator: separator) + (words.count > shown ? " and \(words.count - shown) more" : "")
    }
}
