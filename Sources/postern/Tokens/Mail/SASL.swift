import Glibc
import PosternClient
import ProgramOptions

struct SASL: DaemonCommand {
    static let name = "sasl"
    static let abstract = "Print the SASL response that signs in to a mail server with an access token."
    static let discussion = """
        One line of Base64, as it goes after AUTH or AUTHENTICATE. Programs that make it themselves (msmtp, mbsync, neomutt, aerc) \
        need only the token: postern token.

        EXAMPLES
          postern sasl xoauth2 mail
          postern sasl oauthbearer mail --user me@example.org \\
              --host imap.example.org --port 993
        """

    enum Mechanism: String, CaseIterable { case xoauth2, oauthbearer }

    let mechanism: Mechanism
    let account: String
    let user: String?
    let host: String?
    let port: Int?
    let raw: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        mechanism =
            Mechanism(
                rawValue: line.argument(
                    "mechanism", .oneOf(Mechanism.allCases.map(\.rawValue)), help: "xoauth2 (Google, Microsoft) or oauthbearer (RFC 7628).")
            )
            ?? .xoauth2
        account = line.argument("account", .names(.tokenOwners), help: "The account or provider whose token it is.")
        user = line.option("user", named: "address", help: "The mailbox. (default: the account's address)")
        host = line.option("host", named: "name", help: "The mail server, which oauthbearer can name.")
        port = line.integer("port", 1...65535, named: "number", help: "Its port.")
        raw = line.flag("raw", help: "Print the bytes without Base64 and without a final line feed.")
        common = line.connectionOptions()
    }

    func validate() throws(UsageError) {
        if mechanism == .xoauth2, host != nil || port != nil { throw UsageError("xoauth2 names no host and no port") }
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let token = try connection.bearerToken(Interface.GetAccessToken(providerID: account))
        let user = try user ?? Self.mailbox(of: account, uid: token.uid, connection.call(Interface.ListCredentials()).credentials)
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
    static func mailbox(of account: String, uid: String, _ credentials: [StoredCredential]) throws(CommandFailure) -> String {
        let own = credentials.filter { $0.uid == uid && ($0.account == account || $0.providerID == account) }
        guard let email = own.first?.email, !email.isEmpty else {
            throw CommandFailure("no address of \(account) is known".plain, advice: "say whose mailbox it is: --user me@example.org")
        }
        return email
    }
}
