import PosternConfiguration
import PosternCore

/// A configuration with its secrets fetched.
public struct LoadedConfiguration: Sendable {
    public var configuration: Configuration
    public var providers: [Provider]
    public var phone: PhoneDelivery
    /// The project that has the accounts, with the authority `firebase`; or why it is unknown.
    public var firebase: Result<FirebaseProject, SecretError>?
    /// What else the configuration names and this machine does not have, one sentence each.
    public var problems: [String]

    public init(
        configuration: Configuration, providers: [Provider], phone: PhoneDelivery, firebase: Result<FirebaseProject, SecretError>?,
        problems: [String] = []
    ) {
        self.configuration = configuration
        self.providers = providers
        self.phone = phone
        self.firebase = firebase
        self.problems = problems
    }

    /// How codes are sent to phones, with the secret that this needs.
    public enum PhoneDelivery: Sendable {
        case none
        case command(ConfiguredCommand)
        case gateway(EndpointURL, token: Secret?, caFile: String?)
        /// Configured, but unusable; the sentence says why.
        case unusable(String)
    }
}

/// Reads the configuration from its files, including secrets.
@DaemonActor
public protocol ConfigurationSource: AnyObject {
    /// The main file, whether it exists or not.
    var file: String { get }
    func load() async throws(ConfigurationError) -> LoadedConfiguration
    /// Reads secrets again whose files have changed since they were last read.
    ///
    /// - Returns: the providers of these secrets, as ``load()`` would create them; none if nothing has changed.
    func rereadSecrets() async -> [Provider]
}
