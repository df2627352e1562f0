import ArgumentParser
import Glibc
import PosternClient

struct SASL: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "sasl",
        abstract: "Print the SASL response that signs in to a mail server with an access token.",
        discussion: """
            One line of Base64, as it goes after AUTH or AUTHENTICATE. Programs that make it themselves (msmtp, mbsync, neomutt, aerc) \
            need only the token: postern token.

            EXAMPLES
              postern sasl xoauth2 mail
              postern sasl oauthbearer mail --user me@example.org \\
                  --host imap.example.org --port 993
            """)

    enum Mechanism: String, ExpressibleByArgument, CaseIterable { case xoauth2, oauthbearer }

    @Argument(help: "xoauth2 (Google, Microsoft) or oauthbearer (RFC 7628).")
    var mechanism: Mechanism

    @Argument(help: "The account or provider whose token it is.", completion: .tokenOwners)
    var account: String

    @Option(help: ArgumentHelp("The mailbox. (default: the account's address)", valueName: "address"))
    var user: String?

    @Option(help: ArgumentHelp("The mail server, which oauthbearer can name.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Its port.", valueName: "number"))
    var port: Int?

    @Flag(help: "Print the bytes without Base64 and without a final line feed.")
    var raw = false

    @OptionGroup var common: ConnectionOptions

    mutating func take(from line: inout PlainLine) {
        user = line.option("--user")
        host = line.option("--host")
        port = line.option("--port") { Int($0) }
        raw = line.flag("--raw")
        common = Options(plain: &line)
        if let word = line.argument(Mechanism.init) { mechanism = word }
        account = line.argument()
    }

    mutating func validate() throws {
        if mechanism == .xoauth2, host != nil || port != nil { throw ValidationError("xoauth2 names no host and no port") }
        if let port, !(1...65535).contains(port) { throw ValidationError("--port must be from 1 to 65535") }
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let token = try connection.bearerToken(Interface.GetAccessToken(providerID: account))
        let user = try user ?? mailbox(of: token, connection)
        let response =
            switch mechanism {
            case .xoauth2: try SASLResponse.xoauth2(user: user, token: token.text)
            case .oauthbearer: try SASLResponse.oauthbearer(user: user, host: host, port: port, token: token.text)
            }
        if raw {
            try StandardOutput.write(bytes: response.bytes)
        } else {
            try StandardOutput.write(line: response.base64)
        }
    }

    /// The account's address, as the provider gave it.
    private func mailbox(of token: BearerToken, _ connection: PosternConnection) throws -> String {
        let credentials = try connection.call(Interface.ListCredentials()).credentials
        return try Self.mailbox(of: account, uid: token.uid, credentials)
    }

    static func mailbox(of account: String, uid: String, _ credentials: [StoredCredential]) throws(CommandFailure) -> String {
        let own = credentials.filter { $0.uid == uid && ($0.account == account || $0.providerID == account) }
        guard let email = own.first?.email, !email.isEmpty else {
            throw CommandFailure("no address of \(account) is known".plain, advice: "say whose mailbox it is: --user me@example.org")
        }
        return email
    }
}
