import PosternClient
import ProgramOptions
import StrictJSON

struct ProviderCheck: DaemonCommand {
    static let name = "check"
    static let abstract = "Check whether a sign-in could begin, and whether the provider accepts the client."
    static let discussion = """
        Reads the provider's metadata and keys now, without the cache, and makes the request that a sign-in would make. If the request \
        is pushed to the provider (PAR), or begins with a request token (OAuth 1.0a), its acceptance shows that the client is right; otherwise the \
        provider gets an invalid code, and its answer shows whether it accepts the client ID and the secret. No page opens. Ends \
        with status 1 if something fails.

        EXAMPLES
          postern provider check work
          postern provider check work --json |
              jq -r '.findings[] | select(.level != "ok") | .detail'
        """

    let provider: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.argument("provider", .names(.providers), help: "The provider, as postern provider list names it.")
        common = line.commonOptions()
    }

    func perform() throws {
        let checked = try self.provider(named: provider)
        guard checked.configured else {
            throw CommandFailure(
                (checked.problem ?? "its client ID or secret is missing").plain,
                advice: "postern provider show \(provider) says what goes where".plain)
        }
        guard checked.flows.contains(.browser) else {
            throw CommandFailure(
                "\(checked.displayName) is set up only for codes on other devices, which only you can try".plain,
                advice: "postern sign-in \(provider) --device".plain)
        }
        let reply = try PosternConnection.call(Interface.CheckProvider(providerID: provider), at: common.socketPath)
        let findings = reply.findings.map(Finding.init)
        if common.json {
            var object = checked.object
            object.set("authorizationURL", reply.authorizationURL)
            object["findings"] = .array(findings.map { .object($0.object) })
            try StandardOutput.write(document: object)
        } else {
            for line in findings.flatMap({ $0.lines(terminal: terminal.forResults, width: Terminal.columns) }) {
                try StandardOutput.write(line: line)
            }
        }
        if findings.contains(where: { $0.level == .fail }) {
            throw CommandFailure("a sign-in with \(checked.displayName) would not succeed".plain)
        }
    }
}

extension Finding {
    /// The daemon's findings.
    init(_ found: ProviderFinding) {
        let level: Level =
            switch found.level {
            case .ok: .ok
            case .warn: .warn
            case .fail: .fail
            }
        self.init(level: level, title: found.title, detail: found.detail, fix: found.advice)
    }
}
