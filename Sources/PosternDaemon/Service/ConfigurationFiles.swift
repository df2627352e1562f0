import Glibc
import PosternApplication
import PosternConfiguration
import PosternCore

/// The configuration as its files and its environment have it.
@DaemonActor
final class ConfigurationFiles: ConfigurationSource {
    /// Absolute: whoever is told of it is somewhere else.
    var file: String {
        guard !path.hasPrefix("/"), let directory = Self.currentDirectory else { return path }
        return "\(directory)/\(path)"
    }

    private static var currentDirectory: String? {
        guard let bytes = getcwd(nil, 0) else { return nil }
        defer { free(bytes) }
        return String(cString: bytes)
    }

    private let path: String
    private let isNamed: Bool
    private let environment: [String: String]

    /// - Parameter isNamed: somebody named the file, and means one that is there.
    init(path: String, isNamed: Bool, environment: [String: String]) {
        self.path = path
        self.isNamed = isNamed
        self.environment = environment
    }

    func load() async throws(ConfigurationError) -> LoadedConfiguration {
        if isNamed, access(path, F_OK) != 0, errno == ENOENT { throw .missing(path) }
        let (path, environment) = (path, environment)
        let result: Result<LoadedConfiguration, ConfigurationError>
        do throws(NoThread) {
            result = try await BlockingWork.run {
                do throws(ConfigurationError) {
                    return .success(try LoadedConfiguration(path: path, environment: environment))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw ConfigurationError(file: path, message: "was not read: \(error)")
        }
        return try result.get()
    }
}

extension ConfigurationError {
    /// The file behind `--config`.
    static func missing(_ path: String) -> ConfigurationError {
        ConfigurationError(file: path, message: "not found; check the path behind --config")
    }
}

extension LoadedConfiguration {
    /// Reads the files, then fetches the secrets; to be called where blocking does no harm.
    ///
    /// A secret that cannot be obtained spoils its provider alone, which then says why.
    init(path: String, environment: [String: String]) throws(ConfigurationError) {
        let configuration = try ConfigurationLoader.load(path: path, environment: environment)
        let resolver = SecretResolver(environment: environment)
        let firebase: Result<FirebaseProject, SecretError>? = configuration.accounts.firebase.map { configured in
            do throws(SecretError) {
                let key = try resolver.resolve(configured.apiKey)
                return .success(FirebaseProject(apiKey: key, emulator: configured.emulator, projectID: configured.projectID))
            } catch {
                return .failure(error)
            }
        }
        let providers = configuration.providers.map { configured in
            var provider = configured.provider
            for secret in configured.secrets {
                do throws(SecretError) {
                    secret.put(try resolver.resolve(secret.source, extent: secret.extent), into: &provider)
                } catch {
                    provider.problem = provider.problem ?? "its \(secret.name) cannot be read: \(error)"
                }
            }
            return provider
        }
        self.init(
            configuration: configuration, providers: providers,
            phone: PhoneDelivery(configuration.secondFactors.phone, environment: environment, resolver: resolver), firebase: firebase)
    }
}
