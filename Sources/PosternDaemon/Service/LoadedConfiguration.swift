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
            func resolve(_ source: SecretSource, called name: String) -> Secret? {
                do throws(SecretError) { return try resolver.resolve(source) } catch {
                    provider.problem = provider.problem ?? "its \(name) cannot be had: \(error)"
                    return nil
                }
            }
            if let source = configured.secret { provider.clientSecret = resolve(source, called: "client secret") }
            for (key, source) in configured.furtherSecrets { provider.secrets[key] = resolve(source, called: key) }
            return provider
        }
    }
}
