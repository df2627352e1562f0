import ArgumentParser
import PosternClient

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
    /// The provider of that name, or a failure that says which there are.
    func provider(named providerID: String, among providers: [Provider]) throws -> Provider {
        if let provider = providers.first(where: { $0.providerID == providerID }) { return provider }
        let known = providers.map(\.providerID).joined(separator: ", ")
        throw CommandFailure(
            "there is no provider \(providerID)".plain,
            advice: (known.isEmpty ? "none is known" : "known are: \(known); [provider.NAME] in the configuration adds another").plain)
    }
}
