import PosternClient
import ProgramOptions

struct URLSchemeRegister: DaemonCommand {
    static let name = "register"
    static let abstract = "Make the desktop open URLs of a scheme with Postern."
    static let discussion = """
        Writes a desktop file whose Exec is this program and the URL, without a shell, and makes it the handler with xdg-mime.

        EXAMPLES
          postern url-scheme register com.example.app --provider work
          postern url-scheme register com.googleusercontent.apps.1234-abcd \\
              --provider google.com
        """

    let scheme: String
    let provider: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        scheme = line.argument("scheme", help: "The scheme, without its colon.")
        provider = line.requiredOption("provider", .names(.providers), named: "name", help: "The provider that answers this way.")
        common = line.commonOptions()
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
        let known = try? PosternConnection.call(Interface.ListProviders(), at: common.socketPath).providers
        for line in Self.advice(providers: known, scheme: scheme, providerID: provider, file: file) { StandardError.note(line) }
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
