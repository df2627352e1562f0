import Glibc
import PosternClient
import ProgramOptions

struct Exec: DaemonCommand {
    static let name = "exec"
    static let abstract = "Run a command with access tokens, or with a proxy that has them."
    static let discussion = """
        --env puts the token itself into a variable of that command alone. It is valid for as long as the token. --file is for a \
        command that runs longer: the variable has the path of a file, readable only by this user, whose token is replaced before it \
        expires; the file is removed when the command has ended. If a token cannot be obtained, the command is not started. The exit \
        status is the command's.

        --proxy gives the command no token. It gets the address of a proxy that sends its requests on, with the authorization, to the URLs \
        of the account and nowhere else, for as long as the command runs: NAME_BASE_URL, an http URL on this machine; NAME_SOCKET, a Unix \
        socket for programs that use one, and for sandboxes without network; and NAME_TOKEN, a dummy for programs that insist on a token. If \
        the account has several URLs, the host follows the base URL: NAME_BASE_URL/api.github.com/user. A URL in place of the account means \
        that URL and what is below it. --set puts {url}, {socket} and {dummy} into a variable that the program knows; with several accounts \
        write {NAME.url} and {NAME.socket}. A program that runs as you can still ask the daemon for a token, unless it is in a sandbox.

        EXAMPLES
          postern exec --env GH_TOKEN=github.com -- gh issue list
          postern exec --env GH_TOKEN=github.com --env GITLAB_TOKEN=work \\
              --min-validity 10m -- ./mirror
          postern exec --file TOKEN_FILE=work -- ./service
          postern exec --proxy acme --set OPENAI_BASE_URL={url}/v1 \\
              --set OPENAI_API_KEY={dummy} -- ./agent
          postern exec --proxy https://api.github.com=GH --methods GET \\
              -- sh -c 'curl -sS "$GH_BASE_URL/user"'
        """

    let variables: [TokenVariable]
    let files: [TokenVariable]
    let proxied: [ProxiedAccount]
    let methods: [String]?
    let set: [SetVariable]
    let hasNoPort: Bool
    let minValidity: DurationText?
    let common: CommonOptions
    let command: [String]

    init(_ line: inout OptionReader) {
        variables = line.options(
            "env", .names(.tokenVariables), named: "name=account",
            help: "A variable for the token of a provider, or of an account in the configuration. May be repeated.",
            problem: TokenVariable.problem
        ).compactMap { TokenVariable($0) }
        files = line.options(
            "file", .names(.tokenVariables), named: "name=account",
            help: "The same with the path of a file that has the token. May be repeated.",
            problem: TokenVariable.problem
        ).compactMap { TokenVariable($0) }
        proxied = line.options(
            "proxy", .names(.tokenOwners), named: "account[=name]",
            help: "An account whose URLs the command may use without its token; how its variables begin. May be repeated.",
            problem: ProxiedAccount.problem
        ).compactMap { ProxiedAccount($0) }
        methods = line.option(
            "methods", named: "list",
            help: "With --proxy: the methods that the command may use, such as GET,HEAD. (default: all but WebDAV's)",
            problem: ProxyMethods.problem
        ).map(ProxyMethods.list)
        set = line.options(
            "set", named: "variable=text", help: "With --proxy: another variable, with {url}, {socket} or {dummy} in it. May be repeated.",
            problem: SetVariable.problem
        ).compactMap { SetVariable($0) }
        hasNoPort = line.flag("no-port", help: "With --proxy: only the Unix socket, and no port on this machine.")
        minValidity = line.option(
            "min-validity", named: "duration", help: "How long the tokens must still be valid at the start, such as 10m.",
            problem: DurationText.problem
        ).flatMap { DurationText($0) }
        common = line.connectionOptions()
        command = line.wordsBehindDashes("command", help: "The command, after two dashes.")
    }

    func validate() throws(UsageError) {
        guard !command.isEmpty else {
            throw UsageError("which command? Put it after two dashes: postern exec --env NAME=ACCOUNT -- COMMAND")
        }
        guard proxied.isEmpty else { return try validateProxy() }
        guard methods == nil, set.isEmpty, !hasNoPort else {
            throw UsageError("\(methods != nil ? "--methods" : set.isEmpty ? "--no-port" : "--set") goes with --proxy ACCOUNT")
        }
        guard !variables.isEmpty || !files.isEmpty else {
            throw UsageError("whose token? Use --env NAME=ACCOUNT or --file NAME=ACCOUNT, or --proxy ACCOUNT for a command that gets none")
        }
        try Self.refuseSecond(variables.map(\.name) + files.map(\.name))
    }

    private func validateProxy() throws(UsageError) {
        guard variables.isEmpty, files.isEmpty else {
            throw UsageError("--env and --file give the command a token, and with --proxy it gets none; leave out one of the two")
        }
        guard minValidity == nil else { throw UsageError("--min-validity goes with --env and --file; the proxy renews tokens itself") }
        if proxied.count > 1, let nobody = set.first(where: \.namesNobody) {
            let name = proxied[0].name
            throw UsageError("whose URL is meant in --set \(nobody.name)? Write {\(name).url} or {\(name).socket}")
        }
        try Self.refuseSecond(proxied.flatMap { ProxiedEnvironment.names(of: $0.name) } + set.map(\.name))
    }

    private static func refuseSecond(_ names: [String]) throws(UsageError) {
        // A few. A set would be the first one, and the runtime then looks through all conformances.
        for (index, name) in names.enumerated() where names[..<index].contains(name) { throw UsageError("\(name) is given twice") }
    }

    func perform() throws {
        let run = CommandRun(words: command)
        guard proxied.isEmpty else { return try ProxiedRun(exec: self, run: run).perform() }
        guard !files.isEmpty else {
            try setVariables()
            run.replaceProcess().passOn()
        }

        let directory = try TokenFiles(runtimeDirectory: RuntimeDirectory.path(ProcessEnvironment.variable("XDG_RUNTIME_DIR")))
        defer { directory.remove() }
        let inFiles = try setVariables()
        let held = CommandRun.holdSignals()
        for (variable, token) in inFiles {
            try directory.write(token.text, to: variable.name)
            setenv(variable.name, directory.path(variable.name), 1)
        }
        let now = CalendarTime.now
        let refresher = TokenFileRefresher(
            files: directory, socketPath: common.socketPath,
            entries: inFiles.map {
                TokenFileRefresher.Entry(variable: $0.variable, uid: $0.token.uid, expiresAt: $0.token.expiresAt, now: now)
            })
        let ending = try run.wait(held) { try refresher.start() }
        directory.remove()
        ending.passOn()
    }

    /// - Returns: the tokens for files; those for variables are set.
    @discardableResult
    private func setVariables() throws -> [(variable: TokenVariable, token: BearerToken)] {
        let connection = try connect()
        defer { connection.close() }
        let inVariables = try variables.map { (variable: $0, token: try token(of: $0, connection)) }
        let inFiles = try files.map { (variable: $0, token: try token(of: $0, connection)) }
        for (variable, token) in inVariables { setenv(variable.name, token.text, 1) }
        return inFiles
    }

    private func token(of variable: TokenVariable, _ connection: PosternConnection) throws -> BearerToken {
        do {
            return try connection.bearerToken(
                Interface.GetAccessToken(providerID: variable.account, minimumValiditySeconds: minValidity?.seconds))
        } catch {
            throw CommandFailure(error).askingForScopes(of: variable.account, account: nil, at: common.socketPath)
        }
    }
}
