import ProgramOptions
import StrictJSON

struct Demo: DaemonCommand {
    static let name = "demo"
    static let abstract = "Run a whole sign-in against a built-in provider; nothing is left behind."
    static let discussion = """
        Starts a daemon and a small OpenID provider in a private directory, signs in, gets, refreshes and revokes a token, and \
        removes everything. In a browser it also signs in once more for a server that wants another scope. Each step is told as it \
        happens. Your own daemon and configuration are not used.

        EXAMPLES
          postern demo
          postern demo --headless
          postern demo --device
          postern demo --headless --json | jq .event.result.user
        """

    let headless: Bool
    let device: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        headless = line.flag("headless", help: "Also play the browser and the user.")
        device = line.flag("device", help: "Sign in with a code typed on another device.")
        common = CommonOptions(json: line.flag("json", help: "Print the result as one JSON document; its tokens are already revoked."))
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
        if common.json { try StandardOutput.write(document: got) }
    }
}
