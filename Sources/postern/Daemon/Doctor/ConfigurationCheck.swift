import Glibc

/// Whether the daemon can use the configuration at its next start: the daemon itself reads it, certificates and secrets included, and
/// reports.
enum ConfigurationCheck {
    static let title = "configuration"
    /// A command that prints a secret has ten seconds, and there may be several.
    static let patience: Int64 = 60_000

    /// What a mistake means for a daemon that runs with the previous configuration, and for one that has none. It precedes the mistake,
    /// which may end in a question.
    private static let consequences = (
        running: "the next start cannot use the configuration: ", without: "the daemon cannot use the configuration: "
    )

    /// The part of a finding that the daemon also reports for the same mistake.
    static func mistake(_ finding: Finding) -> String {
        finding.detail.replacingFirst(consequences.running, with: "").replacingFirst(consequences.without, with: "")
    }

    /// A mistake that is not the user's to fix, which only leaves out what it is about.
    static func leftOut(_ fault: String) -> Finding { .warn(title, fault, fix: "tell the administrator of this machine") }

    /// - Parameters:
    ///   - isInUse: false if the daemon runs without a configuration, since it refuses this one.
    ///   - status: the exit status of `posternd --check-config`; nil if it did not exit.
    ///   - output: a line for each message.
    ///   - restart: how to restart the daemon.
    ///   - daemonJudges: the daemon has reported what it cannot use of the rest, which depends on its own environment.
    static func findings(
        status: Int32?, output: String?, isInUse: Bool = true, daemonJudges: Bool = true, restart: String
    ) -> [Finding] {
        let prefix = "posternd: "
        var (said, rest) = ([String](), [Finding]())
        for line in (output ?? "").parts(separator: "\n") {
            guard let sentence = line.rest(after: prefix) else { continue }
            if let unchecked = sentence.rest(after: "unchecked: ") {
                if !daemonJudges { rest.append(.warn(title, "not checked while no daemon runs with it: \(unchecked)")) }
            } else if let fault = sentence.rest(after: "left out: ") {
                rest.append(leftOut(String(fault)))
            } else if let warning = sentence.rest(after: "warning: ") {
                rest.append(.warn(title, String(warning), fix: fix(warning, restart)))
            } else if sentence.rest(after: "note: ") == nil {
                // Notes are for callers of posternd itself.
                said.append(String(sentence))
            }
        }
        return verdict(status: status, said, isInUse: isInUse, restart) + rest
    }

    /// The listener shows the certificate that it read when it was opened.
    private static func fix(_ sentence: some StringProtocol, _ restart: String) -> String {
        sentence.begins(with: "the callback listener") ? "\(newCertificate): \(restart)" : "fix that, then: postern reload"
    }

    static let newCertificate = "postern provider certificate --replace makes a new one, which browsers then have to trust; afterwards"

    private static func verdict(status: Int32?, _ said: [String], isInUse: Bool, _ restart: String) -> [Finding] {
        switch status {
        case 0 where said.isEmpty:
            return [.ok(title, "valid")]
        // It is used, except for a provider that is incomplete.
        case 0:
            return said.map { .warn(title, $0, fix: fix($0, restart)) }
        case 78:
            let lines = said.isEmpty ? ["it is not valid"] : said
            return lines.map {
                .fail(title, (isInUse ? consequences.running : consequences.without) + $0, fix: "fix that, then: postern reload")
            }
        case 1 where !said.isEmpty:
            return said.map { .fail(title, $0, fix: fix($0, restart)) }
        case nil:
            return [.warn(title, "it could not be checked: posternd --check-config took too long")]
        case let status?:
            return [.warn(title, "it could not be checked: posternd --check-config ended with \(status)")]
        }
    }
}
