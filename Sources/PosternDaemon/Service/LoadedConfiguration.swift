import PosternConfiguration
import PosternCore

/// A configuration with its secrets fetched.
struct LoadedConfiguration: Sendable {
    var configuration: Configuration
    var providers: [Provider]
    var phone: PhoneDelivery
    /// Where the accounts are, with the authority `firebase`; or why that cannot be said.
    var firebase: Result<FirebaseProject, SecretError>?

    /// Reads the files, then fetches the secrets; to be called where blocking does no harm.
    ///
    /// A secret that cannot be had spoils its provider alone, which then says why.
    init(path: String, environment: [String: String]) throws(ConfigurationError) {
        configuration = try ConfigurationLoader.load(path: path, environment: environment)
        let resolver = SecretResolver(environment: environment)
        phone = PhoneDelivery(configuration.secondFactors.phone, environment: environment, resolver: resolver)
        firebase = configuration.accounts.firebase.map { configured in
            do throws(SecretError) {
                let key = try resolver.resolve(configured.apiKey)
                return .success(FirebaseProject(apiKey: key, emulator: configured.emulator, projectID: configured.projectID))
            } catch {
                return .failure(error)
            }
        }
        providers = configuration.providers.map { configured in
            var provider = configured.provider
            for secret in configured.secrets {
                do throws(SecretError) {
                    secret.put(try resolver.resolve(secret.source, extent: secret.extent), into: &provider)
                } catch {
                    provider.problem = provider.problem ?? "its \(secret.name) cannot be had: \(error)"
                }
            }
            return provider
        }
    }
}
