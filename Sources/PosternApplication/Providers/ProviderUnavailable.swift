import PosternConfiguration
import PosternCore

/// Why nothing can be started at a provider.
enum ProviderUnavailable: Error {
    /// None has this name.
    case unknown(String, known: [String])
    /// - problem: a sentence for people: what is wrong, and what to do.
    case unusable(Provider, problem: String)
    /// Its answers would arrive at the listener, for which the configuration names something that cannot be used.
    case listenerUnusable(ConfigurationError)
}
