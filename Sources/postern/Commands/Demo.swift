import ArgumentParser
import StrictJSON

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a whole sign-in against a built-in provider; nothing is left behind.",
        discussion: """
            Starts a daemon and a small OpenID provider in a private directory, signs in, gets, refreshes and revokes a token, and \
            removes everything. Your own daemon and configuration have no part in it.

            EXAMPLES
              postern demo
              postern demo --headless
            """)

    @Flag(help: "Play the browser and the person too.")
    var headless = false

    @Flag(help: "Print what the program got as one JSON document, uncut.")
    var json = false

    func run() throws {
        do {
            try perform()
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            throw ExitCode(failure.status.rawValue)
        }
    }

    private func perform() throws {
        let environment = ProcessEnvironment.current
        let terminal = Terminal.current(environment: environment)
        guard headless || Place(environment: environment).canOpenBrowser else {
            throw CommandFailure("there is no display here, or it is far away", advice: "postern demo --headless plays the browser too")
        }
        let interrupts = try Interrupts()
        let world = try DemoWorld(environment: environment, interrupts: interrupts)
        let got: JSONObject
        do {
            got = try DemoScript(world: world, isHeadless: headless, terminal: terminal, interrupts: interrupts).run()
        } catch {
            _ = world.end()
            throw error
        }
        guard world.end() else { throw CommandFailure("something is left in \(world.directory.path)") }
        StandardError.write(line: terminal.paint("left over ", .bold) + " nothing")
        if json { return try StandardOutput.write(document: got) }
        StandardError.write(line: "\nWhat the program got (long values cut short):")
        try StandardOutput.write(line: JSON.object(got).cut(to: 60).indentedText)
    }
}

extension JSON {
    /// With long strings cut, so that a document of tokens can be looked over.
    fileprivate func cut(to length: Int) -> JSON {
        switch self {
        case .string(let text) where text.count > length: return .string(text.prefix(length - 1) + "…")
        case .array(let elements): return .array(elements.map { $0.cut(to: length) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result[member.key] = member.value.cut(to: length) }
            return .object(result)
        default: return self
        }
    }
}
