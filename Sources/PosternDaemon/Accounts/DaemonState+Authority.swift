import PosternConfiguration
import PosternCore

extension DaemonState {
    /// A person looks for a code; with a daemon that ends meanwhile they would begin anew.
    var accountsAwaitCode: Bool { (accounts as? FirebaseAccounts)?.awaitsCode ?? false }

    /// `[accounts]` was read anew: who keeps them is settled at the start, for two authorities know different people.
    func takeUp(_ fresh: inout Configuration.Accounts, _ project: Result<FirebaseProject, SecretError>?) {
        if fresh.authority != configuration.accounts.authority {
            log.warning("a change of [accounts] authority takes effect at the next start", event: .configuration)
            fresh.authority = configuration.accounts.authority
            fresh.firebase = configuration.accounts.firebase
            return
        }
        guard let project else { return }
        (accounts as? FirebaseAccounts)?.project = project
    }
}
