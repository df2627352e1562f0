import PosternClient

/// The provider that is to be set up.
struct SetupTarget {
    var id: String
    /// The daemon's description; nil if the daemon does not know the provider yet.
    var provider: Provider?

    var displayName: String { (provider?.displayName ?? id).plain }
    var kind: Provider.Kind { provider?.kind ?? .oidc }
}
