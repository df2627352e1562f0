import PosternConfiguration
import PosternCore

/// What is in force now.
@DaemonActor
public final class Settings {
    public internal(set) var configuration: Configuration
    var phone: LoadedConfiguration.PhoneDelivery
    /// Nil if the accounts are on this machine.
    var firebase: Result<FirebaseProject, SecretError>?

    init(_ loaded: LoadedConfiguration) {
        configuration = loaded.configuration
        phone = loaded.phone
        firebase = loaded.firebase
    }

    var defaultTimeoutSeconds: Int { Int(configuration.signIn.timeout.components.seconds) }

    func browser(of question: SignInQuestion) -> Configuration.Browser {
        configuration.browser(of: question.providerID, account: question.loginHint)
    }

    /// Whether the daemon itself can open the page of such a sign-in.
    func opensPage(of question: SignInQuestion) -> Bool { browser(of: question) != .none }
}
