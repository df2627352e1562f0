import Glibc
import PosternApplication
import PosternConfiguration
import PosternCore

/// The configuration in its files and its environment.
@DaemonActor
final class ConfigurationFiles: ConfigurationSource {
    var file: String { ConfigurationLoader.absolute(path) }

    private let path: String
    private let isNamed: Bool
    private let environment: [String: String]
    private var lastGood: LastGoodFiles
    /// As last loaded, with the state of the files of its secrets at that time.
    private var secrets: (providers: [ConfiguredProvider], stamps: [SecretSource: FileStamp]) = ([], [:])

    /// - Parameter isNamed: the file was named explicitly, and must exist.
    init(path: String, isNamed: Bool, state: String, environment: [String: String]) {
        self.path = path
        lastGood = LastGoodFiles(state: state, environment: environment)
        self.isNamed = isNamed
        self.environment = environment
    }

    func load() async throws(ConfigurationError) -> LoadedConfiguration {
        if isNamed, ConfigurationError.isMissing(path) { throw .missing(path) }
        let (path, environment, known) = (path, environment, lastGood)
        let noThread = { @Sendable (error: NoThread) in ConfigurationError(file: path, message: "was not read: \(error)") }
        let (loaded, stamps, kept) = try await BlockingWork.run(orThrow: noThread) { () throws(ConfigurationError) in
            try LoadedConfiguration.reading(path: path, environment: environment, remembering: known)
        }
        lastGood = kept
        secrets = (loaded.configuration.providers, stamps)
        return loaded
    }

    func rereadSecrets() async -> [Provider] {
        let (providers, known, environment) = (secrets.providers, secrets.stamps, environment)
        guard providers.contains(where: { !$0.secrets.isEmpty }) else { return [] }
        let read = try? await BlockingWork.run {
            let resolver = SecretResolver(environment: environment)
            // Before they are read: what is written meanwhile is read again.
            let stamps = resolver.stamps(of: providers)
            let changed = providers.filter { $0.secrets.contains { stamps[$0.source] != known[$0.source] } }
            return (stamps, changed.map(resolver.provider))
        }
        guard let (stamps, changed) = read else { return [] }
        secrets.stamps = stamps
        return changed
    }
}

extension ConfigurationError {
    /// There is nothing at the path, not even a link: if something is there but cannot be read, reading it gives a better error.
    static func isMissing(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) != 0 && errno == ENOENT
    }

    /// The error for the file that `--config` names.
    static func missing(_ path: String) -> ConfigurationError {
        ConfigurationError(file: path, message: "not found; check the path behind --config")
    }
}

extension LoadedConfiguration {
    /// Reads the files, then obtains the secrets; to be called where blocking does no harm.
    ///
    /// If a secret cannot be obtained, only its provider is unusable, and reports why.
    static func reading(
        path: String, environment: [String: String], remembering known: LastGoodFiles
    ) throws(ConfigurationError) -> (LoadedConfiguration, [SecretSource: FileStamp], LastGoodFiles) {
        var lastGood = known
        let configuration = try ConfigurationLoader.load(path: path, environment: environment, remembering: &lastGood)
        let resolver = SecretResolver(environment: environment)
        // Before they are read: what is written meanwhile is read again.
        let stamps = resolver.stamps(of: configuration.providers)
        var firebase = configuration.accounts.firebase.map { configured in
            Result { () throws(SecretError) in
                let key = try resolver.resolve(configured.apiKey)
                return FirebaseProject(apiKey: key, emulator: configured.emulator, projectID: configured.projectID)
            }
        }
        if let doubt = configuration.accounts.doubt { firebase = .failure(SecretError(description: doubt)) }
        let loaded = LoadedConfiguration(
            configuration: configuration, providers: configuration.providers.map(resolver.provider),
            phone: PhoneDelivery(configuration.secondFactors.phone, resolver: resolver), firebase: firebase,
            problems: configuration.browserProblems(environment: environment).map(\.description))
        return (loaded, stamps, lastGood)
    }
}

extension SecretResolver {
    /// With its secrets.
    fileprivate func provider(_ configured: ConfiguredProvider) -> Provider {
        var provider = configured.provider
        for secret in configured.secrets {
            do throws(SecretError) {
                secret.put(try resolve(secret.source, extent: secret.extent), into: &provider)
            } catch {
                provider.problem = provider.problem ?? "its \(secret.name) cannot be read: \(error)"
            }
        }
        return provider
    }

    fileprivate func stamps(of providers: [ConfiguredProvider]) -> [SecretSource: FileStamp] {
        let sources = Set(providers.flatMap { $0.secrets.map(\.source) })
        return Dictionary(uniqueKeysWithValues: sources.compactMap { source in stamp(of: source).map { (source, $0) } })
    }
}
