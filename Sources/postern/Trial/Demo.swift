import ProgramOptions
import StrictJSON

struct Demo: DaemonCommand {
    static let name = "demo"
    static let abstract = "Run a whole sign-in against a built-in provider; nothing is left behind."
    static let discussion = """
        Starts a daemon and a small OpenID provider in a private directory, signs in, gets, refreshes and revokes a token, and \
        removes everything. Your own daemon and configuration are not used.

        EXAMPLES
          postern demo
          postern demo --headless
          postern demo --device
        """

    let headless: Bool
    let device: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        headless = line.flag("headless", help: "Also play the browser and the user.")
        device = line.flag("device", help: "Sign in with a code typed on another device.")
        common = CommonOptions(json: line.flag("json", help: "Print what the program got as one JSON document, uncut."))
    }

    func perform() throws {
        guard headless || device || TerminalLocation.current.canOpenBrowser else {
            throw CommandFailure(
                "there is no display here, or it is on another machine", advice: "postern demo --headless plays the browser too")
        }
        let interrupts = try Interrupts()
        let world = try DemoWorld(environment: environment, interrupts: interrupts)
        let got: JSONObject
        do {
            got = try DemoScript(
                world: world, flow: device ? .device : .browser, isHeadless: headless, terminal: terminal, interrupts: interrupts
            ).run()
        } catch {
            _ = world.end()
            throw error
        }
        guard world.end() else { throw CommandFailure("some files are left in \(world.directory.path)") }
        StandardError.write(line: terminal.paint("left over ", .bold) + " nothing")
        if common.json { return try StandardOutput.write(document: got) }
        StandardError.write(line: "\nWhat the program got (tokens cut short; they are revoked):")
        try StandardOutput.write(line: JSON.object(got).withSecretsCut.indentedText.plainJSON)
    }
}

extension JSON {
    private static let secrets: Set<String> = ["accessToken", "idToken", "rawNonce", "secret", "handle"]

    /// With tokens truncated, so that the document is readable.
    fileprivate var withSecretsCut: JSON {
        switch self {
        case .array(let elements): return .array(elements.map(\.withSecretsCut))
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                if Self.secrets.contains(member.key), let text = member.value.stringValue {
                    result[member.key] = .string(text.prefix(12) + "…")
                } else {
                    result[member.key] = member.value.withSecretsCut
                }
            }
            return .object(result)
        default: return self
        }
    }
}
