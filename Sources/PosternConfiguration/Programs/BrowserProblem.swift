/// A browser of the configuration that cannot be run.
public struct BrowserProblem: Sendable, Hashable, CustomStringConvertible {
    /// A sentence.
    public var description: String
    /// It was looked for in `PATH`, which another process may have with other directories.
    public var dependsOnPath: Bool
}

extension Configuration {
    /// The default needs no program: without one the URL is printed.
    ///
    /// - Parameter environment: that of the daemon, whose `PATH` counts.
    public func browserProblems(environment: [String: String]) -> [BrowserProblem] {
        var commands = [("browser in [sign-in]", signIn.browser)]
        for configured in providers {
            let position = "[provider.\(configured.provider.id)]"
            if let browser = configured.browser.ofProvider { commands.append(("browser in \(position)", browser)) }
            for (account, browser) in configured.browser.ofAccount.sorted(by: { $0.key < $1.key }) {
                commands.append(("browser-of \(account) in \(position)", browser))
            }
        }
        return commands.compactMap { position, browser in
            guard case .command(let words) = browser, browser != Configuration().signIn.browser, let program = words.first,
                let obstacle = Self.obstacle(to: program, path: environment["PATH"] ?? ProgramSearch.standard)
            else { return nil }
            return BrowserProblem(
                description: "\(position): \(obstacle); pages cannot be opened with it",
                dependsOnPath: !program.utf8.contains(UInt8(ascii: "/")))
        }
    }

    private static func obstacle(to program: String, path: String) -> String? {
        if program.utf8.contains(UInt8(ascii: "/")) { return ProgramSearch.obstacle(at: program) }
        return ProgramSearch.find(program, path: path) == nil ? "there is no program \(program) in PATH" : nil
    }
}
