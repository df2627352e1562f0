import ArgumentParser
import PosternClient

struct Credentials: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what is stored, without secrets.",
        discussion: """
            EXAMPLES
              postern credentials
              postern credentials --json | jq -r '.credentials[].providerID'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListCredentials()) else { return }
        guard !reply.credentials.isEmpty else { return StandardError.write(line: "nothing is stored") }
        var table = Table()
        table.add("PROVIDER", "ACCOUNT", "NAME", "EXPIRES", "REFRESH", "SCOPES")
        for credential in reply.credentials {
            table.add(
                credential.providerID, credential.uid, credential.displayName ?? "-", credential.expiresAt ?? "never",
                credential.refreshable ? "yes" : "no", credential.scopes.joined(separator: " "))
        }
        for line in table.lines { try StandardOutput.write(line: line) }
    }
}
