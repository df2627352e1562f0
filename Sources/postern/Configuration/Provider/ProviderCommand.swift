import ArgumentParser
import PosternClient
import StrictJSON

struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "List, show and check the configured providers; make a certificate for https callbacks.",
        discussion: """
            EXAMPLES
              postern provider list
              postern provider show github.com
              postern provider check work
              postern provider certificate
            """,
        subcommands: [ProviderList.self, ProviderShow.self, ProviderCheck.self, ProviderCertificate.self])
}

extension DaemonCommand {
    /// The provider of that name, or a failure that lists the existing ones.
    func provider(named providerID: String, among providers: [Provider]) throws -> Provider {
        guard !providerID.isEmpty else { throw CommandFailure.emptyProvider }
        if let provider = providers.first(where: { $0.providerID == providerID }) { return provider }
        let known = providers.map(\.providerID).joined(separator: ", ")
        let meant = Suggestion.closest(to: providerID, among: providers.map(\.providerID))
        throw CommandFailure(
            "there is no provider called \"\(providerID)\"".plain + (meant.map { "; did you mean \($0)?".plain } ?? ""),
            advice: (known.isEmpty ? "none is known" : "known providers: \(known); [provider.NAME] in the configuration adds another").plain
        )
    }
}

struct ProviderList: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the providers that the daemon knows.",
        discussion: """
            EXAMPLES
              postern provider list
              postern provider list --json |
                  jq -r '.providers[] | select(.configured) | .providerID'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListProviders()) else { return }
        guard !reply.providers.isEmpty else { return StandardError.note("no provider is configured") }
        var table = Table()
        table.add("PROVIDER", "NAME", "KIND", "READY", "SCOPES")
        for provider in reply.providers {
            table.add(
                provider.providerID, provider.displayName, provider.kind.rawValue, provider.configured ? "yes" : "no",
                provider.scopes.joined(separator: " "))
        }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns))
    }
}

struct ProviderShow: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what to register at a provider, and where its ID and secret go.",
        discussion: """
            EXAMPLES
              postern provider show github.com
              postern provider show github.com --json | jq -r .redirectURI
            """)

    @Argument(help: "The provider, as postern provider list names it.", completion: .providers)
    var provider: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        provider = line.argument()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let shown = try self.provider(named: provider, among: connection.call(Interface.ListProviders()).providers)
        if common.json { return try StandardOutput.write(document: shown.object) }
        let lines = ProviderText.lines(for: shown, directory: ConfigurationPlace.shown(in: environment), width: Terminal.columns)
        try StandardOutput.write(lines: lines)
    }
}
