import ArgumentParser
import StrictJSON

struct Doctor: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find what is wrong, and say how to fix it.",
        discussion: """
            Looks at the runtime directory, the socket, the daemon, its callback listener, the desktop, the clock and the units; \
            changes nothing. Ends with status 1 where something fails.

            EXAMPLES
              postern doctor
              postern doctor --json | jq -r '.findings[] | select(.level != "ok") | .mend'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let findings = Examination(socketPath: common.socketPath, environment: environment).findings()
        if common.json {
            try StandardOutput.write(document: ["findings": .array(findings.map { .object($0.object) })])
        } else {
            let terminal = terminal.forResults
            for line in findings.flatMap({ $0.lines(terminal: terminal) }) { try StandardOutput.write(line: line) }
        }
        let failures = findings.count { $0.level == .fail }
        if failures > 0 { throw CommandFailure(failures == 1 ? "one thing needs fixing" : "\(failures) things need fixing") }
    }
}
