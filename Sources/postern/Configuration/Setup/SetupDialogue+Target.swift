import PosternClient
import PosternConfiguration
import ProgramOptions

/// Which provider is meant.
extension SetupDialogue {
    func target(_ name: String?) throws -> SetupTarget {
        let providers = try call(Interface.ListProviders()).providers
        let id: String
        if let name {
            guard !name.isEmpty else { throw CommandFailure.emptyProvider }
            id = name
        } else {
            guard let prompt else {
                throw CommandFailure(
                    "which provider?", status: .wrongUsage,
                    advice: "postern setup PROVIDER, one of these or a name for another one: "
                        + providers.map(\.providerID).joined(separator: ", ").plain)
            }
            let names = providers.map { Self.choice($0, among: providers) } + ["another OpenID provider"]
            guard let chosen = try prompt.choice("Which one?", among: names) else { throw AccountDialogue.declined }
            id = chosen < providers.count ? providers[chosen].providerID : try newName(prompt)
        }
        if let provider = providers.first(where: { $0.providerID == id }) { return SetupTarget(id: id, provider: provider) }
        let alike = providers.filter { $0.providerID.begins(with: id + ".") }
        if alike.count == 1, answers.issuer == nil {
            say("\(id) is \(alike[0].providerID)".plain)
            return SetupTarget(id: alike[0].providerID, provider: alike[0])
        }
        if answers.issuer == nil, let meant = Suggestion.closest(to: id, among: providers.map(\.providerID)) {
            guard let prompt else {
                throw CommandFailure(
                    "there is no provider called \"\(id)\"; did you mean \(meant)?".plain, status: .wrongUsage,
                    advice: "--issuer sets up an OpenID provider of that name")
            }
            if try prompt.isYes("There is no provider called \"\(id)\" yet. Did you mean \(meant)?".plain, byDefault: true) {
                return SetupTarget(id: meant, provider: providers.first { $0.providerID == meant })
            }
        }
        // File names contain it.
        if let mistake = ProviderNaming.mistake(in: id) {
            throw CommandFailure(
                "\"\(id)\": \(mistake)".plain, status: .wrongUsage,
                advice: id.unicodeScalars.contains("/")
                    ? "a name of your choice goes before the address: postern setup work --issuer https://…"
                    : "postern setup work sets up a provider of the name work")
        }
        guard prompt != nil || answers.issuer != nil else {
            throw CommandFailure(
                "there is no provider called \"\(id)\"".plain, status: .wrongUsage,
                advice: "--issuer and --client-id set up an OpenID provider of that name; postern provider list shows those that are there")
        }
        return SetupTarget(id: id, provider: nil)
    }

    /// For a provider that is not built in.
    private func newName(_ prompt: Prompt) throws -> String {
        while true {
            let name = try answer("A name for it, such as work:", prompt)
            guard let mistake = ProviderNaming.mistake(in: name) else { return name }
            say("\"\(name)\": \(mistake)".plain)
        }
    }

    /// With the protocol if two providers have one name, as with X.
    static func choice(_ provider: Provider, among providers: [Provider]) -> String {
        let isAmbiguous = providers.contains { $0.displayName == provider.displayName && $0.providerID != provider.providerID }
        let version = provider.kind == .oauth1 ? "OAuth 1.0a" : "OAuth 2.0"
        return "\(provider.providerID)  \(provider.displayName)\(isAmbiguous ? " (\(version))" : "")".plain
    }

    /// A provider that is set up can be set up again.
    func isChangeWanted(_ target: SetupTarget) throws -> Bool {
        say("\(target.displayName) is already set up.")
        guard let prompt else { return false }
        return try prompt.isYes("Change its client?", byDefault: false)
    }
}
