import ArgumentParser
import PosternClient
import StrictJSON

struct URLSchemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url-scheme",
        abstract: "Receive answers by an application's URL scheme.",
        discussion: """
            For providers that do not accept a loopback address, or that redirect to a registered application. The provider's redirect-uri \
            in the configuration must begin with the same scheme.

            EXAMPLES
              postern url-scheme register com.example.app --provider work
              postern url-scheme list
              postern url-scheme remove com.example.app
            """,
        subcommands: [URLSchemeRegister.self, URLSchemeRemove.self, URLSchemeList.self])
}

struct URLSchemeRegister: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Make the desktop open URLs of a scheme with Postern.",
        discussion: """
            Writes a desktop file whose Exec is this program and the URL, without a shell, and makes it the handler with xdg-mime.

            EXAMPLES
              postern url-scheme register com.example.app --provider work
              postern url-scheme register com.googleusercontent.apps.1234-abcd \\
                  --provider google.com
            """)

    @Argument(help: "The scheme, without its colon.")
    var scheme: String

    @Option(help: ArgumentHelp("The provider that answers this way.", valueName: "name"), completion: .providers)
    var provider: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        provider = line.requiredOption("--provider")
        common = Options(plain: &line)
        scheme = line.argument()
    }

    func perform() throws {
        guard !provider.isEmpty else { throw CommandFailure.emptyProvider }
        let scheme = try URLScheme(self.scheme)
        guard let program = Executable.ownPath else { throw CommandFailure("the path of this program is unknown") }
        let directory = try ApplicationsDirectory(environment: environment)
        let tool = DesktopTool(environment: environment)
        let entry = try DesktopEntry(scheme: scheme, providerID: provider, program: program)
        if let other = tool.handler(of: scheme), other != DesktopEntry.fileName(of: scheme) {
            StandardError.write(
                line: "\(scheme.name): \(other) opens these addresses now; Postern replaces it. To undo that:".plain)
            StandardError.write(line: "  xdg-mime default \(other) \(scheme.mimeType)".plain)
        }
        try directory.write(entry)
        tool.updateCache(of: directory)
        try tool.makeDefault(scheme)
        if common.json {
            return try StandardOutput.write(document: [
                "scheme": .string(scheme.name), "provider": .string(provider), "file": .string(directory.file(of: scheme)),
                "program": .string(program),
            ])
        }
        try StandardOutput.write(line: "\(scheme.name): is handed to \(program)".plain)
        let file = ConfigurationPlace.shown(in: environment) + "/config.toml"
        for line in Self.advice(providers: known(), scheme: scheme, providerID: provider, file: file) { StandardError.note(line) }
    }

    /// Nil if the daemon does not say.
    private func known() -> [Provider]? {
        guard let connection = try? connect() else { return nil }
        defer { connection.close() }
        return try? connection.call(Interface.ListProviders()).providers
    }

    /// The half of the work that is done in the configuration.
    static func advice(providers: [Provider]?, scheme: URLScheme, providerID: String, file: String) -> [String] {
        let provider = providers?.first { $0.providerID == providerID }
        if let redirectURI = provider?.redirectURI, redirectURI.begins(with: scheme.name + ":") { return [] }
        let missing =
            providers != nil && provider == nil
            ? "there is no provider \(providerID) yet" : "the provider \(providerID) does not send its answers there yet"
        return ["\(missing); in \(file), and at the provider:".plain, "  redirect-uri = \"\(scheme.name):/callback\""]
    }
}

struct URLSchemeList: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the schemes that Postern opens.",
        discussion: """
            IN FORCE says whether the desktop currently opens such URLs with Postern or with another application.

            EXAMPLES
              postern url-scheme list
            """)

    @OptionGroup var common: CommonOptions

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

struct URLSchemeRemove: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop opening a scheme with Postern.",
        discussion: """
            Removes the desktop file. A line in mimeapps.list that still names it does nothing.

            EXAMPLES
              postern url-scheme remove com.example.app
            """)

    @Argument(help: "The scheme, as postern url-scheme list names it.")
    var scheme: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        scheme = line.argument()
    }

    func perform() throws {
        let scheme = try URLScheme(self.scheme)
        let directory = try ApplicationsDirectory(environment: environment)
        guard try directory.remove(scheme) else {
            throw CommandFailure("\(scheme.name) is not registered here", advice: "postern url-scheme list shows those that are")
        }
        DesktopTool(environment: environment).updateCache(of: directory)
        if common.json { return try StandardOutput.write(document: ["scheme": .string(scheme.name)]) }
        StandardError.note("\(scheme.name): is no longer opened by Postern")
    }
}
