import PosternClient
import ProgramOptions

struct Credentials: OptionlessCommand {
    static let name = "credentials"
    static let abstract = "List what is stored, without secrets."
    static let discussion = """
        NAME is the account's name in the configuration, [account.NAME], if it has one; ACCOUNT is the provider's name for it. Other \
        commands take NAME, or the provider; where several accounts there are stored, postern token and postern revoke choose one with \
        --account, by ACCOUNT or ADDRESS. On a terminal that is too narrow for the table each row is a \
        paragraph. postern accounts shows the accounts with what they are for, and what needs you.

        EXAMPLES
          postern credentials
          postern credentials --json | jq -r '.credentials[].providerID'
        """

    let common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListCredentials()) else { return }
        guard !reply.credentials.isEmpty else { return StandardError.note("nothing is stored") }
        for line in CredentialText.lines(for: reply.credentials, width: Terminal.columns, times: terminal.times) {
            try StandardOutput.write(line: line)
        }
        for credential in reply.credentials {
            if let words = CredentialText.need(of: credential, among: reply.credentials, times: terminal.timesOfWords) {
                StandardError.note(words)
            }
        }
        pointToAccounts()
    }
}
