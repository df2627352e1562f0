import ArgumentParser
import Glibc
import PosternClient
import StrictJSON

extension ForeignProgram: ExpressibleByArgument {}

struct Import: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import accounts from another program.",
        discussion: """
            Shows what it found, never a secret, and asks. A refresh token is kept only after the provider has renewed it and said whose \
            it is. The account goes into a new file in config.d; existing files and the other program's files are not changed. If there is \
            no refresh token, only the configuration is imported, and you sign in once.

            Then stop the other program: many providers give a new refresh token at each use, so two programs with the same one lock each \
            other out.

            WHAT IS READ
              pizauth      pizauth.conf, or what pizauth dump printed; else pizauth is asked
              oidc-agent   the account's name or file; oidc-gen opens it by the password
              mutt_oauth2  the token file; gpg opens it
              oama         the address, or its file; gpg or the keyring has it
              -            standard input, with --yes

            EXAMPLES
              postern import oidc-agent work
              postern import mutt_oauth2 ~/.mutt/ada@example.com.tokens \\
                  --client-id 1234.apps.googleusercontent.com
              pizauth dump | postern import pizauth - --yes
            """)

    @Argument(help: "pizauth, oidc-agent, mutt_oauth2 or oama.")
    var program: ForeignProgram

    @Argument(help: ArgumentHelp("What to read.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Import only this account. May be repeated.", valueName: "name"))
    var account: [String] = []

    @Option(name: .customLong("as"), help: ArgumentHelp("The account's name in Postern.", valueName: "name"))
    var newName: String?

    @Option(
        help: ArgumentHelp(
            "Whose account it is: an address, a user name or an identifier. A token of another account is not kept.", valueName: "account"))
    var login: String?

    @Option(help: ArgumentHelp("A configured provider, whose client got the refresh token.", valueName: "name"))
    var provider: String?

    @Option(help: ArgumentHelp("The OpenID provider, if the other program does not say.", valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("The endpoint that says whose a token is, for a provider without an issuer.", valueName: "url"))
    var userinfoEndpoint: String?

    @Option(help: ArgumentHelp("The client ID, if it is not in the file.", valueName: "id"))
    var clientID: String?

    @Option(help: ArgumentHelp("A file whose first line is the client's secret.", valueName: "file"))
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("A shell command that decrypts the file, which is its standard input.", valueName: "command"))
    var decryptCommand: String?

    @Option(help: ArgumentHelp("A file whose first line is oidc-agent's password.", valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("The daemon's configuration file, if it was started with another one.", valueName: "file"))
    var config: String?

    @Flag(help: "Import only the configuration, no refresh token.")
    var configurationOnly = false

    @Flag(help: "Replace a stored credential of the same account.")
    var replace = false

    @Flag(help: "Show what was found, and change nothing.")
    var dryRun = false

    @Flag(help: "Ask nothing.")
    var yes = false

    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        let names = [
            ("--login", login), ("--provider", provider), ("--issuer", issuer), ("--userinfo-endpoint", userinfoEndpoint),
            ("--client-id", clientID),
        ]
        if let option = names.first(where: { $0.1 == "" })?.0 ?? (account.contains("") ? "--account" : nil) {
            throw ValidationError("\(option) is empty: give a value, or leave the option out")
        }
        if let newName, !ImportPlan.isName(newName) {
            throw ValidationError(
                "--as takes a name of a to z, 0 to 9, full stop, - and _, at most 64 of them; it may not begin with a full stop")
        }
        if provider != nil, issuer != nil || userinfoEndpoint != nil {
            throw ValidationError("--provider names one that is configured; --issuer and --userinfo-endpoint make a new one")
        }
        if passwordFile != nil, program != .oidcAgent { throw ValidationError("--password-file goes with oidc-agent") }
    }

    func perform() throws {
        ProcessMemory.hide()
        let source = ForeignSource(
            program: program, file: file, decryptCommand: decryptCommand, passwordFile: passwordFile, environment: environment)
        try source.refuseMissingFile()
        let mayAsk = !yes && !dryRun
        guard !mayAsk || Prompt.mayAsk else {
            throw CommandFailure.noTerminal(
                to: "ask on", advice: "--yes imports everything without asking, --dry-run only shows what was found")
        }
        // Done before signals are blocked: Ctrl-C must end the programs that are started for it.
        let (found, place) = try source.accounts()
        let prompt = try mayAsk ? Prompt(interrupts: Interrupts()) : nil
        let directory = try ConfigurationDirectory(file: config, environment: environment)
        let chosen = try chosen(found, in: place)
        let run = ImportRun(command: self, program: program, directory: directory, prompt: prompt)
        var outcomes: [ImportRun.Outcome] = []
        for account in chosen { outcomes.append(run.outcome(of: account)) }
        if common.json { try StandardOutput.write(document: ["accounts": .array(outcomes.map { .object($0.document) })]) }
        if outcomes.contains(where: { $0.state == .imported }) { run.tellToStop() }
        if let status = Self.status(of: outcomes) { throw CommandFailure("", status: status) }
    }

    /// The worst failure, already reported; nil if all is well. Declining one of several is not a failure.
    static func status(of outcomes: [ImportRun.Outcome]) -> CommandStatus? {
        let failures = outcomes.compactMap(\.failure?.status)
        if let worst = failures.first(where: { $0 != .signInNeeded }) ?? failures.first { return worst }
        return outcomes.allSatisfy { $0.state == .declined } ? .declined : nil
    }

    private func chosen(_ found: [ForeignAccount], in place: String) throws -> [ForeignAccount] {
        guard !found.isEmpty else { throw CommandFailure("\(place) has no account".plain) }
        var chosen = found
        if !account.isEmpty {
            if let missing = account.first(where: { name in !found.contains { $0.name == name } }) {
                throw CommandFailure(
                    "\(place) has no account \(missing)".plain, advice: "it has: \(found.map(\.name).joined(separator: ", "))".plain)
            }
            chosen = found.filter { account.contains($0.name) }
        }
        guard chosen.count == 1 || (newName == nil && login == nil) else {
            throw CommandFailure(
                "--as and --login are for one account, and \(place) has \(found.count)".plain, status: .wrongUsage,
                advice: "choose it with --account: \(found.map { ShellWord.quoted($0.name) }.joined(separator: ", "))".plain)
        }
        return chosen
    }
}
