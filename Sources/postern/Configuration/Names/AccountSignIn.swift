import Glibc
import PosternClient
import PosternConfiguration

/// A sign-in of a person who may already have an account at the provider: which one it is for, and what it is called.
///
/// A provider's name that meant one account must go on to mean it: programs use it. So the first one gets a section of its own together with
/// the second one's, and the provider's section says that its name means the first.
struct AccountSignIn {
    let dialogue: AccountDialogue
    /// What is asked of the daemon.
    private(set) var parameters: Interface.SignIn
    /// Given on the command line.
    private let newName: String?
    /// The person's accounts at the provider, before the sign-in.
    private var before: [StoredCredential] = []
    /// The person chose another account than these.
    private var isAnother = false

    /// Asks what has to be decided before the page.
    init(_ dialogue: AccountDialogue, _ parameters: Interface.SignIn, as newName: String?) throws {
        (self.dialogue, self.parameters, self.newName) = (dialogue, parameters, newName)
        if let newName {
            try prepare(newName)
        } else {
            // What is wrong with the daemon, the sign-in itself says.
            before = (try? own()) ?? []
            if let replaced = try? replaced() {
                before = []
                if let prompt = dialogue.prompt { try ask(prompt, replacing: replaced) }
            } else if !before.isEmpty, (try? provider(parameters.providerID))??.namesPeople == false {
                // Each is known by its name, and none is this one.
                before = []
            } else if !before.isEmpty, parameters.loginHint == nil, let prompt = dialogue.prompt {
                try ask(prompt)
            }
        }
    }

    /// The person's accounts at the provider that was named; none if an account was.
    private func own() throws -> [StoredCredential] {
        try dialogue.call(Interface.ListCredentials()).credentials.filter { $0.providerID == parameters.providerID && $0.isKeptByPerson }
    }

    private func provider(_ id: String) throws -> Provider? {
        try dialogue.call(Interface.ListProviders()).providers.first { $0.providerID == id }
    }

    /// What the sign-in takes the place of, whoever signs in: the account's name is all that is known of it.
    private func replaced() throws -> StoredCredential? {
        let name = (try? files().settings())?.meant(by: parameters.providerID) ?? parameters.providerID
        let held = try dialogue.call(Interface.ListCredentials()).credentials.first {
            ($0.account == name || ($0.providerID == name && $0.uid == name)) && $0.isKeptByPerson && $0.state != .signInNeeded
        }
        guard let held else { return nil }
        return try provider(held.providerID)?.namesPeople == false ? held : nil
    }

    private func ask(_ prompt: Prompt, replacing held: StoredCredential) throws {
        let provider = dialogue.name(ofProvider: held.providerID)
        prompt.say("\(provider) does not say who signs in, so a new sign-in takes the place of the account that is there.".plain)
        guard try prompt.isYes("\(parameters.providerID) has an account already. Replace it?".plain, byDefault: false) else {
            throw AccountDialogue.declined
        }
    }

    /// The name must be known before the sign-in.
    private func requireNamesPeople(_ newName: String) throws {
        let id = parameters.providerID
        guard try provider(id)?.namesPeople == false else { return }
        throw CommandFailure(
            "\(id) does not say who signs in, so an account there needs its name before".plain, status: .wrongUsage,
            advice: "give it one: postern config set account.\(newName).provider \(ShellWord.quoted(id)); then: postern sign-in \(newName)"
                .plain)
    }

    private mutating func prepare(_ newName: String) throws {
        let settings = try files().settings()
        if settings.serverNames.contains(parameters.providerID) {
            throw CommandFailure(
                "\(parameters.providerID) is an MCP server, which has one account".plain, status: .wrongUsage,
                advice: "another account there is another name: postern mcp add URL --as \(newName)".plain)
        }
        if settings.account(named: parameters.providerID) != nil {
            throw CommandFailure(
                "\(parameters.providerID) is the name of an account, and --as goes with a provider".plain, status: .wrongUsage,
                advice: "to give it another name: postern accounts rename \(ShellWord.quoted(parameters.providerID)) \(newName)".plain)
        }
        if let there = settings.account(named: newName), there.providerID == parameters.providerID {
            throw CommandFailure(
                "there is an account called \(newName) already".plain, status: .wrongUsage,
                advice: "to sign in to it: postern sign-in \(ShellWord.quoted(newName))".plain)
        }
        try AccountNames.check(newName, settings)
        try requireNamesPeople(newName)
        try checkWritable()
        before = try own()
        // Its name means that account also while nobody is signed in to it.
        if !before.isEmpty || settings.meant(by: parameters.providerID) != nil { askForOther() }
    }

    private mutating func ask(_ prompt: Prompt) throws {
        let provider = dialogue.name(ofProvider: parameters.providerID)
        prompt.say("You are signed in at \(provider) already.")
        let again = before.map { "again as \($0.calling)\($0.account.map { " (\($0))" } ?? "")".plain }
        guard let chosen = try prompt.choice("Again, or with another account?", among: again + ["with another account"]) else {
            throw AccountDialogue.declined
        }
        guard chosen < before.count else {
            try checkWritable()
            isAnother = true
            return askForOther()
        }
        if let name = before[chosen].account { parameters.providerID = name } else { parameters.loginHint = before[chosen].email }
    }

    /// A browser that is signed in at the provider would come back with the same account at once.
    private mutating func askForOther() {
        guard parameters.customParameters?["prompt"] == nil, parameters.loginHint == nil, parameters.flow != .device else { return }
        guard let provider = try? provider(parameters.providerID), provider.kind != .oauth1 else { return }
        // A prompt of one's own takes the place of the one that a refresh token may need.
        let isOffline =
            (parameters.scopes ?? provider.scopes).contains("offline_access")
            || (parameters.scopes == nil && (try? files().settings())?.consentsToOfflineAccess.contains(provider.providerID) == true)
        parameters.customParameters = (parameters.customParameters ?? [:]).merging(
            ["prompt": isOffline ? "select_account consent" : "select_account"]) { given, _ in given }
    }

    /// Before anybody goes through a page for nothing.
    private func checkWritable() throws {
        let file = ReplacedFile(try files().text().mainFile).path
        guard access(ReplacedFile.directory(of: file), W_OK) != 0, errno != ENOENT else { return }
        throw CommandFailure(
            "the account could not get a name: \(ReplacedFile.directory(of: file)) cannot be written to".plain,
            advice: "names of accounts are sections of the configuration, [account.NAME]")
    }

    /// An MCP server has one account, without a section of its own.
    private var isServer: Bool { (try? files().settings())?.serverNames.contains(parameters.providerID) == true }

    private func files() throws -> AccountFiles {
        AccountFiles(mainFile: try dialogue.call(Interface.GetStatus()).configurationFile)
    }

    // MARK: After the sign-in

    /// Gives the account its name, if one was wanted, or if the provider's name would mean none of two from now on.
    func finish(_ proved: AccountDialogue.Proved) throws -> AccountDialogue.Proved {
        guard let account = proved.account else { return proved }
        guard newName != nil || isAnother else {
            guard before.count == 1, account.account == nil, !before[0].isAccount(account), !isServer else { return proved }
            do { return try named(account, proved) } catch {
                StandardError.note("\(account.providerID) could mean \(before[0].calling) or \(account.calling) now".plain)
                StandardError.note(CommandFailure(error).sentence)
                return proved
            }
        }
        if let same = before.first(where: { $0.isAccount(account) }) { throw sameAgain(same) }
        if let there = account.account, let newName {
            throw CommandFailure(
                "\(AccountText(account, at: proved.wayName)) has a name already".plain,
                advice: "to give it another one: postern accounts rename \(ShellWord.quoted(there)) \(newName)".plain)
        }
        do { return try named(account, proved) } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(
                "\(account.calling) is signed in, but got no name: \(failure.sentence)".plain, status: failure.status,
                advice: "to name it later: postern accounts rename \(ShellWord.quoted(account.calling)) NAME".plain)
        }
    }

    private func named(_ account: StoredCredential, _ proved: AccountDialogue.Proved) throws -> AccountDialogue.Proved {
        let connection = try PosternConnection(socketPath: dialogue.common.socketPath)
        defer { connection.close() }
        let names = try AccountNames(over: connection)
        var settings = try names.files.settings()
        var namings: [AccountNames.Naming] = []
        func naming(_ credential: StoredCredential, _ wanted: String?) -> String {
            if let name = credential.account { return name }
            let name = wanted ?? settings.freeName(for: credential.calling, at: credential.providerID)
            settings.accounts.append(AccountSettings.Account(name: name, providerID: credential.providerID))
            namings.append(AccountNames.Naming(name: name, credential: credential))
            return name
        }
        let name = naming(account, newName)
        let first = before.count == 1 ? naming(before[0], nil) : nil
        let providerID = account.providerID
        var meant = first
        // In the order in which the accounts came.
        try names.write(namings.reversed()) { present in
            let already = present.meant(by: providerID)
            meant = already ?? first
            guard let first, already == nil else { return [] }
            return [.set(["provider", providerID, "account"], .text(first))]
        }
        if let first, meant == first {
            let sentence = "\(providerID) still means \(before[0].calling)" + (before[0].account == nil ? ", now also called \(first)" : "")
            StandardError.note("\(sentence); the new account is \(name)".plain)
            if newName == nil { StandardError.note("to rename it: postern accounts rename \(name) NAME".plain) }
        }
        var named = proved
        named.account?.account = name
        var reply = try PosternConnection.read(Interface.SignIn.Reply.self, from: proved.reply)
        reply.event.account?.account = name
        named.reply = reply.object
        return named
    }

    private func sameAgain(_ account: StoredCredential) -> CommandFailure {
        let provider = dialogue.name(ofProvider: account.providerID)
        return CommandFailure(
            "that was \(account.calling) again, not another account at \(provider)".plain,
            advice: "sign out at \(provider) in the browser, or open the page in a private window: "
                + "postern sign-in \(ShellWord.quoted(account.providerID)) --as \(newName ?? "NAME") --no-browser")
    }
}
