import PosternCore
import PosternInterface

extension Interface.ProviderFinding {
    init(_ finding: ProviderExamination.Finding) {
        let level: Level =
            switch finding.level {
            case .ok: .ok
            case .warn: .warn
            case .fail: .fail
            }
        self.init(level: level, title: finding.title, detail: finding.detail, advice: finding.advice)
    }
}

extension Interface.Provider {
    init(_ provider: Provider, flows: [ProviderFlow], redirectURI: String?, lastRefusal: ProviderRefusal?) {
        let kind: Kind =
            switch provider.kind {
            case .oauth1: .oauth1
            case .oauth2: .oauth2
            case .oidc: .oidc
            }
        self.init(
            providerID: provider.id, displayName: provider.displayName, kind: kind, flows: flows.map(Interface.Provider.Flow.init),
            scopes: provider.scopes,
            redirectURI: redirectURI, configured: provider.problem == nil, problem: provider.problem,
            lastRefusal: lastRefusal.map { .init(refusedAt: "\($0.refusedAt)", error: $0.error, message: $0.message) },
            namesPeople: provider.namesPeople)
    }
}
