import PosternConfiguration
import PosternCore

/// What is in force now.
@DaemonActor
public final class Settings {
    public internal(set) var configuration: Configuration
    var phone: LoadedConfiguration.PhoneDelivery
    /// Nil if the accounts are on this machine.
    var firebase: Result<FirebaseProject, SecretError>?
    /// As in ``LoadedConfiguration``.
    var missing: [String]

    init(_ loaded: LoadedConfiguration) {
        configuration = loaded.configuration
        phone = loaded.phone
        firebase = loaded.firebase
        missing = loaded.problems
    }

    /// What the configuration names and cannot be used, apart from the providers and the listener.
    var problems: [String] {
        var problems = missing
        if case .unusable(let sentence) = phone { problems.append(sentence) }
        if let doubt = configuration.accounts.doubt {
            problems.append(
                "nobody can sign in while it is unknown where the administrator wants the users to be kept; once this is fixed, restart the "
                    + "daemon: \(doubt)")
        } else if case .failure(let error)? = firebase {
            problems.append("accounts: its api-key cannot be read: \(error)")
        }
        return problems
    }

    var defaultTimeoutSeconds: Int { Int(configuration.signIn.timeout.components.seconds) }

    func browser(of request: SignInRequest) -> Configuration.Browser {
        configuration.browser(of: request.providerID, account: request.loginHint)
    }

    /// Whether the daemon itself can open the page of such a sign-in.
    func opensPage(of request: SignInRequest) -> Bool { browser(of: request) != .none }
}
