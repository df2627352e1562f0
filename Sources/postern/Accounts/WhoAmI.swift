import PosternClient
import ProgramOptions

struct WhoAmI: DaemonCommand {
    static let name = "whoami"
    static let abstract = "Show the app's current user."
    static let discussion = """
        Their name and address, their ways to sign in, and their second factors. Without --app it is the user of the app default. If \
        nobody is signed in to the app, it lists the accounts that are kept for your programs, and ends with status 3.

        EXAMPLES
          postern whoami
          postern whoami --app my-tool --json
        """

    let common: CommonOptions

    init(_ line: inout OptionReader) {
        common = line.userOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let reply = try connection.call(Interface.GetCurrentUser.method.name, Interface.GetCurrentUser(app: common.app).object)
        guard let user = try PosternConnection.read(Interface.GetCurrentUser.Reply.self, from: reply).user else {
            if !common.json { listAccounts(connection) }
            throw CommandFailure.nobody(in: common.app)
        }
        guard !common.json else { return try StandardOutput.write(document: reply) }
        try StandardOutput.write(lines: UserText.lines(for: user, of: common.app, times: terminal.times, width: Terminal.columns))
        pointToAccounts()
    }

    /// On standard error: a script that reads whose user it is must not take an account for one.
    private func listAccounts(_ connection: PosternConnection) {
        guard let kept = try? connection.call(Interface.ListCredentials()).credentials.filter(\.isKeptByPerson), !kept.isEmpty else {
            return
        }
        let providers = (try? connection.call(Interface.ListProviders()).providers) ?? []
        StandardError.note("accounts that are kept for your programs:")
        for account in kept { StandardError.note("  \(AccountText(account, among: providers))") }
        pointToAccounts()
    }
}
