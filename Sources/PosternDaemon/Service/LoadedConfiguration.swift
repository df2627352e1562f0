import PosternConfiguration
import PosternCore

/// A configuration with its secrets fetched.
struct LoadedConfiguration: Sendable {
    var configuration: Configuration
    var providers: [Provider]

    /// Reads the files, then fetches the secrets; to be called where blocking does no harm.
    ///
    /// A secret that cannot be had spoils its provider alone, which then says why.
    init(path: String, environment: [String: String]) throws(ConfigurationError) {
        configuration = try ConfigurationLoader.load(path: path, environment: environment)
        let resolver = SecretResolver(environment: environment)
        providers = configuration.providers.map { configured in
            var provider = configured.provider
            guard let source = configured.secret else { return provider }
            do throws(SecretError) {
                provider.clientSecret = try resolver.resolve(source)
            } catch {
                provider.problem = provider.problem ?? "its client secret cannot be had: \(error)"
            }
            return provider
        }
    }
}
