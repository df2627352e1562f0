import Glibc
import PosternClient
import ProgramOptions

struct Exec: DaemonCommand {
    static let name = "exec"
    static let abstract = "Run a command with access tokens in its environment."
    static let discussion = """
        --env puts the token itself into a variable of that command alone. It is valid for as long as the token. --file is for a \
        command that runs longer: the variable has the path of a file, readable only by this user, whose token is replaced before it \
        expires; the file is removed when the command has ended. If a token cannot be obtained, the command is not started. The exit \
        status is the command's.

        EXAMPLES
          postern exec --env GH_TOKEN=github.com -- gh issue list
          postern exec --env GH_TOKEN=github.com --env GITLAB_TOKEN=work \\
              --min-validity 10m -- ./mirror
          postern exec --file TOKEN_FILE=work -- ./service
        """

    let variables: [TokenVariable]
    let files: [TokenVariable]
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
        guard !variables.isEmpty || !files.isEmpty else {
            throw UsageError("whose token? Use --env NAME=ACCOUNT or --file NAME=ACCOUNT")
        }
        // A few. A set would be the first one, and the runtime then looks through all conformances.
        var names: [String] = []
        for variable in variables + files {
            guard !names.contains(variable.name) else { throw UsageError("\(variable.name) is given twice") }
            names.append(variable.name)
        }
    }

    func perform() throws {
        let run = CommandRun(words: command)
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
