import ArgumentParser

/// Options and arguments that can be read from a plain command line.
///
/// The argument parser looks up the types of all options at run time, which takes longer than everything else that a command does. So it
/// reads only lines that are not plain, and writes help, completions and errors.
protocol PlainOptions: ParsableArguments {
    /// Sets each property: one that is not set cannot be read. If words are left on the line, the argument parser reads it.
    mutating func take(from line: inout PlainLine)
}

extension PlainOptions {
    init(plain line: inout PlainLine) {
        self.init()
        take(from: &line)
    }
}

protocol PlainCommand: ParsableCommand, PlainOptions {}

extension PlainCommand where Self: DaemonCommand, Options: PlainOptions {
    /// For a command without options of its own.
    mutating func take(from line: inout PlainLine) { common = Options(plain: &line) }
}

enum PlainCommands {
    /// - Parameter arguments: without the name of the program.
    /// - Returns: the command of a plain line that is correct in every respect; nil for any line that the argument parser has to read. What
    ///   is accepted here means the same there: tests keep the two consistent, for every command.
    static func command(in arguments: [String]) -> (any PlainCommand)? {
        guard let (type, words) = type(of: arguments) else { return nil }
        var line = PlainLine(arguments.dropFirst(words))
        var command: any PlainCommand = type.init(plain: &line)
        guard line.isRead, (try? command.validate()) != nil else { return nil }
        return command
    }

    /// The command that the first words name, and the number of these words.
    static func type(of arguments: [String]) -> (any PlainCommand.Type, words: Int)? {
        guard let first = arguments.first else { return nil }
        if let type = type(named: first) { return (type, 1) }
        guard arguments.count > 1, let type = type(named: arguments[1], of: first) else { return nil }
        return (type, 2)
    }

    // A switch, since the tree of commands would create all of them.

    private static func type(named name: String) -> (any PlainCommand.Type)? {
        switch name {
        case "attach": Attach.self
        case "call": Call.self
        case "cancel": Cancel.self
        case "create-user": CreateUser.self
        case "credentials": Credentials.self
        case "delete-user": DeleteUser.self
        case "doctor": Doctor.self
        case "exec": Exec.self
        case "link": Link.self
        case "lock": Lock.self
        case "monitor": MonitorCommand.self
        case "open-url": OpenURL.self
        case "reauthenticate": Reauthenticate.self
        case "reload": ReloadCommand.self
        case "revoke": Revoke.self
        case "sasl": SASL.self
        case "sessions": Sessions.self
        case "sign-in", "login": SignIn.self
        case "sign-out", "logout": SignOut.self
        case "status": Status.self
        case "unlink": Unlink.self
        case "unlock": Unlock.self
        case "update-user": UpdateUser.self
        case "user-token": UserToken.self
        case "whoami": WhoAmI.self
        default: nil
        }
    }

    private static func type(named name: String, of group: String) -> (any PlainCommand.Type)? {
        switch (group, name) {
        case ("config", "edit"): ConfigEdit.self
        case ("config", "get"): ConfigGet.self
        case ("config", "path"): ConfigPath.self
        case ("config", "set"): ConfigSet.self
        case ("config", "show"): ConfigShow.self
        case ("config", "unset"): ConfigUnset.self
        case ("provider", "check"): ProviderCheck.self
        case ("provider", "list"): ProviderList.self
        case ("provider", "show"): ProviderShow.self
        case ("second-factor", "add"): SecondFactorAdd.self
        case ("second-factor", "list"): SecondFactorList.self
        case ("second-factor", "remove"): SecondFactorRemove.self
        case ("url-scheme", "list"): URLSchemeList.self
        case ("url-scheme", "register"): URLSchemeRegister.self
        case ("url-scheme", "remove"): URLSchemeRemove.self
        default: nil
        }
    }
}
