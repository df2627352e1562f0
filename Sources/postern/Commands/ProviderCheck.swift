import ArgumentParser
import PosternClient
import StrictJSON

struct ProviderCheck: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a sign-in could begin, and whether the provider takes the client.",
        discussion: """
            Begins a sign-in without opening a page, which needs the provider's metadata, and ends it with a made-up code: what \
            the provider says of that tells whether it takes the client ID and the secret. A provider that puts its name into \
            each answer (iss) cannot be tried so. The keys and the callback URL are not checked; they show when somebody signs in. \
            Ends with status 1 where something fails.

            EXAMPLES
              postern provider check work
              postern provider check work --json | jq -r '.findings[] | select(.level != "ok") | .detail'
            """)

    @Argument(help: "The provider, as postern provider list names it.", completion: .providers)
    var provider: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let checked = try self.provider(named: provider, among: connection.call(Interface.ListProviders()).providers)
        guard checked.configured else {
            throw CommandFailure(
                (checked.problem ?? "its client ID or secret is missing").plain,
                advice: "postern provider show \(provider) says what goes where".plain)
        }
        guard checked.flows.contains(.browser) else {
            throw CommandFailure(
                "\(checked.displayName) is set up for codes on other devices alone, which only a person can try".plain,
                advice: "postern sign-in \(provider) --device".plain)
        }
        let trial = try ProviderTrial(of: provider, over: connection, connect: connect)
        let findings = trial.findings(for: checked)
        if common.json {
            var object = checked.object
            object.set("authorizationURL", trial.page)
            object["findings"] = .array(findings.map { .object($0.object) })
            try StandardOutput.write(document: object)
        } else {
            for line in findings.flatMap({ $0.lines(terminal: terminal.forResults) }) { try StandardOutput.write(line: line) }
        }
        if findings.contains(where: { $0.level == .fail }) {
            throw CommandFailure("a sign-in with \(checked.displayName) would not succeed".plain)
        }
    }
}
