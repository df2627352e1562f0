import PosternClient
import ProgramOptions

enum ProviderCommand: CommandWord {
    static let name = "provider"
    static let abstract = "List, show, check and remove the configured providers; make a certificate for https callbacks."
    static let discussion = """
        EXAMPLES
          postern provider list
          postern provider show github.com
          postern provider check work
          postern provider remove work
          postern provider certificate
        """
    static let sections = [
        CommandSection([ProviderList.self, ProviderShow.self, ProviderCheck.self, ProviderRemove.self, ProviderCertificate.self])
    ]
}

extension DaemonCommand {
    /// The provider of that name, or a failure that lists the existing ones.
    func provider(named providerID: String) throws -> Provider {
        let providers = try PosternConnection.call(Interface.ListProviders(), at: common.socketPath).providers
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
