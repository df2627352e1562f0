import PosternClient
import ProgramOptions
import StrictJSON

struct URLSchemeList: OptionlessCommand {
    static let name = "list"
    static let abstract = "List the schemes that Postern opens."
    static let discussion = """
        IN FORCE says whether the desktop currently opens such URLs with Postern or with another application.

        EXAMPLES
          postern url-scheme list
        """

    let common: CommonOptions

    func perform() throws {
        let directory = try ApplicationsDirectory(environment: environment)
        let tool = DesktopTool(environment: environment)
        let rows = directory.schemes.map { scheme in
            let text = directory.read(scheme) ?? ""
            return (
                scheme: scheme.name, provider: DesktopEntry.providerID(in: text) ?? "", program: DesktopEntry.program(in: text) ?? "",
                isInForce: tool.handler(of: scheme) == DesktopEntry.fileName(of: scheme)
            )
        }
        if common.json {
            let schemes = rows.map { row -> JSON in
                [
                    "scheme": .string(row.scheme), "provider": .string(row.provider), "program": .string(row.program),
                    "inForce": .bool(row.isInForce),
                ]
            }
            return try StandardOutput.write(document: ["schemes": .array(schemes)])
        }
        guard !rows.isEmpty else { return StandardError.note("no scheme is registered") }
        var table = Table()
        table.add("SCHEME", "PROVIDER", "IN FORCE", "PROGRAM")
        for row in rows { table.add(row.scheme, row.provider, row.isInForce ? "yes" : "no", row.program) }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns, cutsLast: false))
    }
}
