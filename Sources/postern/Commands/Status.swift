import ArgumentParser
import PosternClient

struct Status: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how the daemon is.",
        discussion: """
            Ends with status 4 where the daemon cannot be reached; postern doctor then says why.

            EXAMPLES
              postern status
              postern status --json | jq -r '.callbackURLs[0]'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let status = try call(Interface.GetStatus()) else { return }
        var table = Table()
        table.add("version", status.version)
        table.add("running since", status.startedAt)
        for url in status.callbackURLs { table.add("callbacks at", url) }
        table.add("store", status.locked ? "locked" : "open")
        table.add("sign-ins under way", String(status.sessions))
        table.add("users", String(status.users))
        table.add("credentials", String(status.credentials))
        for line in table.lines { try StandardOutput.write(line: line) }
    }
}
