import PosternConfiguration
import PosternCore

/// A configuration with its secrets fetched.
public struct LoadedConfiguration: Sendable {
    public var configuration: Configuration
    public var providers: [Provider]
    public var phone: PhoneDelivery
    /// Where the accounts are, with the authority `firebase`; or why that cannot be said.
    public var firebase: Result<FirebaseProject, SecretError>?

    public init(
        configuration: Configuration, providers: [Provider], phone: PhoneDelivery, firebase: Result<FirebaseProject, SecretError>?
    ) {
        self.configuration = configuration
        self.providers = providers
        self.phone = phone
        self.firebase = firebase
    }

    /// How codes get to phones, with the secret that it takes.
    public enum PhoneDelivery: Sendable {
        case none
        case command(PhoneCommand)
        case gateway(EndpointURL, token: Secret?, caFile: String?)
        /// Configured, and of no use; the sentence says why.
        case unusable(String)
    }
}

/// Reads the configuration from its files, secrets and all.
@DaemonActor
public protocol ConfigurationSource: AnyObject {
    /// The main file, whether it exists or not.
    var file: String { get }
    func load() async throws(ConfigurationError) -> LoadedConfiguration
    /// Reads secrets again whose files are others than when they were read last.
    ///
    /// - Returns: the providers of these secrets, as ``load()`` would make them; none where nothing has changed.
    func rereadSecrets() async -> [Provider]
}
