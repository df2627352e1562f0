import ArgumentParser
import PosternClient
import StrictJSON

struct URLSchemeRegister: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Have the desktop hand URLs of a scheme to Postern.",
        discussion: """
            Writes a desktop file whose Exec is this program and the URL, without a shell, and makes it the handler by xdg-mime.

            EXAMPLES
              postern url-scheme register com.example.app --provider work
              postern url-scheme register com.googleusercontent.apps.1234-abcd --provider google.com
            """)

    @Argument(help: "The scheme, without its colon.")
    var scheme: String

    @Option(help: ArgumentHelp("The provider whose answers come this way.", valueName: "name"))
    var provider: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let scheme = try URLScheme(self.scheme)
        guard let program = Executable.ownPath else { throw CommandFailure("it cannot be told where this program is") }
        let directory = try ApplicationsDirectory(environment: environment)
        let tool = DesktopTool(environment: environment)
        try directory.write(try DesktopEntry(scheme: scheme, providerID: provider, program: program))
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
        for line in Self.advice(providers: known(), scheme: scheme, providerID: provider, file: file) { StandardError.write(line: line) }
    }

    /// Nil where the daemon does not say.
    private func known() -> [Provider]? {
        guard let connection = try? connect() else { return nil }
        defer { connection.close() }
        return try? connection.call(Interface.ListProviders()).providers
    }

    /// The half that is done in the configuration.
    static func advice(providers: [Provider]?, scheme: URLScheme, providerID: String, file: String) -> [String] {
        let provider = providers?.first { $0.providerID == providerID }
        if let redirectURI = provider?.redirectURI, redirectURI.hasPrefix(scheme.name + ":") { return [] }
        let missing =
            providers != nil && provider == nil
            ? "there is no provider \(providerID) yet" : "the provider \(providerID) does not send its answers there yet"
        return ["\(missing); in \(file), and at the provider:".plain, "  redirect-uri = \"\(scheme.name):/callback\""]
    }
}
