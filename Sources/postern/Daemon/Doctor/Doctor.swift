import ProgramOptions
import StrictJSON

struct Doctor: OptionlessCommand {
    static let name = "doctor"
    static let abstract = "Find what is wrong, and say how to fix it."
    static let discussion = """
        Looks at the runtime directory, the socket, the daemon, its callback listener, what providers refused last, the \
        configuration with its secrets and certificates, the directories above it, the desktop, the clock and the units; changes \
        nothing. Ends with status 4 if the daemon cannot be reached, with 1 if anything else fails, and with 0 if there are \
        warnings only.

        EXAMPLES
          postern doctor
          postern doctor --json | jq -r '.findings[] | select(.level != "ok") | .fix'
        """

    let common: CommonOptions

    func perform() throws {
        let times = common.json ? TimeText.exact : terminal.times
        let (findings, isReachable) = Examination(socketPath: common.socketPath, environment: environment, times: times).findings()
        if common.json {
            try StandardOutput.write(document: ["findings": .array(findings.map { .object($0.object) })])
        } else {
            let terminal = terminal.forResults
            try StandardOutput.write(lines: findings.flatMap({ $0.lines(terminal: terminal, width: Terminal.columns) }))
        }
        if isReachable { pointToAccounts() }
        let failures = findings.filter { $0.level == .fail }
        guard !failures.isEmpty else { return }
        throw CommandFailure(
            failures.count == 1 ? "1 problem needs fixing" : "\(failures.count) things need fixing",
            status: isReachable ? .failed : .daemonUnreachable)
    }
}
