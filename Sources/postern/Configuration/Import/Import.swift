import Glibc
import PosternClient
import ProgramOptions
import StrictJSON

struct Import: DaemonCommand {
    static let name = "import"
    static let abstract = "Import accounts from another program."
    static let discussion = """
        Shows what it found, never a secret, and asks. A refresh token is kept only after the provider has renewed it and said whose \
        it is. The account goes into a new file in config.d; existing files and the other program's files are not changed. If there is \
        no refresh token, only the configuration is imported, and you sign in once.

        The account keeps its name. A provider of the configuration with the same server and client is used, whatever its name; else one \
        is written. gh's tokens are of its own client: its accounts need a provider that you have set up, and Postern keeps the access \
        token, which it can forget but not revoke.

        A client of MCP servers brings its own registration at each server: [mcp.NAME] is written with the server's URL, and the token goes \
        only to the issuer that the server names now, which must be the one that the client's file names.

        Then stop the other program: many providers give a new refresh token at each use, so two programs with the same one lock each \
        other out.

        WHAT IS READ
          pizauth      pizauth.conf, or what pizauth dump printed; else pizauth is asked
          oidc-agent   the account's name or file; oidc-gen opens it by the password
          mutt_oauth2  the token file; gpg opens it
          oama         the address, or its file; gpg or the keyring has it
          gh           its hosts.yml; what is in a keyring instead, gh prints
          mcp-remote   ~/.mcp-auth; it keeps no URLs: they are looked for in
                       the settings of programs that start it, or --url
          claude-code  ~/.claude/.credentials.json
          codex        ~/.codex/.credentials.json, if it uses no keyring
          gemini-cli   ~/.gemini/mcp-oauth-tokens.json
          opencode     ~/.local/share/opencode/mcp-auth.json
          -            standard input, with --yes

        EXAMPLES
          postern import oidc-agent work
          postern import mutt_oauth2 ~/.mutt/ada@example.com.tokens \\
              --client-id 1234.apps.googleusercontent.com
          pizauth dump | postern import pizauth - --yes
          postern import mcp-remote --url https://mcp.linear.app/mcp
        """

    let program: ForeignProgram
    /// In its place.
    let client: ImportedMCPClient?
    let file: String?
    let account: [String]
    let newName: String?
    let login: String?
    let provider: String?
    let issuer: String?
    let userinfoEndpoint: String?
    let clientID: String?
    let clientSecretFile: String?
    let decryptCommand: String?
    let passwordFile: String?
    let urls: [String]
    let config: String?
    let configurationOnly: Bool
    let replace: Bool
    let dryRun: Bool
    let yes: Bool
    let common: CommonOptions

    private static let ifEmpty = "is empty: give a value, or leave the option out"

    init(_ line: inout OptionReader) {
        let names = ForeignProgram.allCases.map(\.rawValue) + ImportedMCPClient.allCases.map(\.rawValue)
        let name = line.argument(
            "program", .oneOf(names),
            help: "pizauth, oidc-agent, mutt_oauth2, oama or gh; or the MCP client mcp-remote, claude-code, codex, gemini-cli or opencode.")
        program = ForeignProgram(rawValue: name) ?? .pizauth
        client = ImportedMCPClient(rawValue: name)
        file = line.optionalArgument("file", help: "What to read.")
        account = line.options("account", named: "name", help: "Import only this account. May be repeated.", ifEmpty: Self.ifEmpty)
        newName = line.option("as", named: "name", help: "The account's name in Postern.")
        login = line.option(
            "login", named: "account",
            help: "Whose account it is: an address, a user name or an identifier. A token of another account is not kept.",
            ifEmpty: Self.ifEmpty)
        provider = line.option(
            "provider", named: "name", help: "A configured provider, whose client got the refresh token.", ifEmpty: Self.ifEmpty)
        issuer = line.option(
            "issuer", named: "url", help: "The OpenID provider, if the other program does not say.", ifEmpty: Self.ifEmpty)
        userinfoEndpoint = line.option(
            "userinfo-endpoint", named: "url", help: "The endpoint that says whose a token is, for a provider without an issuer.",
            ifEmpty: Self.ifEmpty)
        clientID = line.option("client-id", named: "id", help: "The client ID, if it is not in the file.", ifEmpty: Self.ifEmpty)
        clientSecretFile = line.option("client-secret-file", named: "file", help: "A file whose first line is the client's secret.")
        decryptCommand = line.option(
            "decrypt-command", named: "command", help: "A shell command that decrypts the file, which is its standard input.")
        passwordFile = line.option("password-file", named: "file", help: "A file whose first line is oidc-agent's password.")
        urls = line.options(
            "url", named: "url", help: "An MCP server whose tokens mcp-remote has. May be repeated.", ifEmpty: Self.ifEmpty)
        config = line.option("config", named: "file", help: "The daemon's configuration file, if it was started with another one.")
        configurationOnly = line.flag("configuration-only", help: "Import only the configuration, no refresh token.")
        replace = line.flag("replace", help: "Replace a stored credential of the same account.")
        dryRun = line.flag("dry-run", help: "Show what was found, and change nothing.")
        yes = line.flag("yes", help: "Ask nothing.")
        common = line.commonOptions()
    }

    func validate() throws(UsageError) {
        if let newName, !ImportPlan.isName(newName) {
            throw UsageError(
                "--as takes a name of a to z, 0 to 9, full stop, - and _, at most 64 of them; it may not begin with a full stop")
        }
        if provider != nil, issuer != nil || userinfoEndpoint != nil {
            throw UsageError("--provider names one that is configured; --issuer and --userinfo-endpoint make a new one")
        }
        if passwordFile != nil, client != nil || program != .oidcAgent { throw UsageError("--password-file goes with oidc-agent") }
        if !urls.isEmpty, client != .mcpRemote {
            throw UsageError("--url goes with mcp-remote; the other programs keep their servers' URLs")
        }
        if let client {
            guard [provider, issuer, userinfoEndpoint, decryptCommand].allSatisfy({ $0 == nil }) else {
                throw UsageError("\(client.rawValue)'s servers are found by their URLs: they need no provider, issuer or endpoint")
            }
            return
        }
        if program.hasOwnClient, [issuer, userinfoEndpoint, clientID, clientSecretFile, decryptCommand].contains(where: { $0 != nil }) {
            throw UsageError("\(program.rawValue)'s accounts are of a provider that is set up here: --provider names it")
        }
    }

    func perform() throws {
        ProcessMemory.hide()
        if let client { return try performImport(of: client) }
        let source = ForeignSource(
            program: program, file: file, decryptCommand: decryptCommand, passwordFile: passwordFile, environment: environment)
        try source.refuseMissingFile()
        let mayAsk = try mayAsk()
        // Done before signals are blocked: Ctrl-C must end the programs that are started for it.
        let (found, place) = try source.accounts()
        let prompt = try mayAsk ? Prompt(interrupts: Interrupts()) : nil
        let directory = try ConfigurationDirectory(file: config, environment: environment)
        let chosen = try chosen(found, in: place)
        let run = ImportRun(command: self, program: program, directory: directory, prompt: prompt)
        var outcomes: [ImportRun.Outcome] = []
        for account in chosen { outcomes.append(run.outcome(of: account)) }
        if common.json { try StandardOutput.write(document: ["accounts": .array(outcomes.map { .object($0.document) })]) }
        if outcomes.contains(where: { $0.state == .imported }) { run.tellAboutOriginals() }
        if let status = Self.status(of: outcomes) { throw CommandFailure("", status: status) }
    }

    /// Whether the user is asked.
    func mayAsk() throws(CommandFailure) -> Bool {
        let mayAsk = !yes && !dryRun
        guard !mayAsk || Prompt.mayAsk else {
            throw CommandFailure.noTerminal(
                to: "ask on", advice: "--yes imports everything without asking, --dry-run only shows what was found")
        }
        return mayAsk
    }

    /// The worst failure, already reported; nil if all is well. Declining one of several is not a failure.
    static func status(of outcomes: [ImportRun.Outcome]) -> CommandStatus? {
        // If nothing else was found, nothing was done.
        let isAllSkipped = outcomes.allSatisfy { $0.state == .skipped }
        let outcomes = outcomes.filter { isAllSkipped || $0.state != .skipped }
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
