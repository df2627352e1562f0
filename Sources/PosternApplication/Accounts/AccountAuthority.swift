import PosternCore

/// Keeps the accounts and applies their rules: this machine, or a Firebase project.
///
/// A method that throws has changed nothing except counters.
@DaemonActor
protocol AccountAuthority: AnyObject {
    /// A user is looking for a code; if the daemon ended now, they would have to start again.
    var awaitsCode: Bool { get }
    /// The first effect of each operation is in the store: until the store has begun with it, it can be dropped.
    var beginsInStore: Bool { get }

    /// Decides what becomes of an identity that a provider vouched for, whichever way the credential arrived.
    ///
    /// - Returns: nil if a handle is unknown, used or expired, or a token was presented before.
    func settle(_ source: CredentialSource, intent: Intent, app: AppName) async throws(AccountFailure) -> Settlement?

    /// Carries out what the user answered on the page on which they signed in to the app.
    ///
    /// - Returns: false if the question is over.
    func answered(
        _ answer: LinkReview.Answer, about item: LinkReview.Item, of review: LinkReview, app: AppName
    ) async throws(AccountFailure) -> Bool

    func signInAnonymously(app: AppName) async throws(AccountFailure) -> AccountResult
    func createUser(email: String, password: Secret, displayName: String?, app: AppName) async throws(AccountFailure) -> AccountResult
    func signIn(email: String, password: Secret, intent: Intent, app: AppName) async throws(AccountFailure) -> AccountResult

    func currentUser(app: AppName) async throws(AccountFailure) -> User?
    /// The app's sign-in, for a page that is opened for it; nil if it has none.
    func pageOwner(app: AppName) async throws(AccountFailure) -> PageOwner?
    func updateUser(_ update: UserUpdate, app: AppName) async throws(AccountFailure) -> User
    func unlink(providerID: String, app: AppName) async throws(AccountFailure) -> User
    func providers(ofEmail email: String) async throws(AccountFailure) -> [String]
    func signOut(app: AppName) async throws(AccountFailure)
    /// - Returns: the user whose results are to be forgotten; nil if this authority keeps none.
    func deleteUser(app: AppName) async throws(AccountFailure) -> User?

    /// An ID token of the current user for another local service.
    func userToken(audience: TokenAudience, app: AppName) async throws(AccountFailure) -> UserToken

    func enroll(
        _ kind: SecondFactor.Kind, phoneNumber: String?, displayName: String?, app: AppName
    ) async throws(AccountFailure) -> Enrollment
    func confirm(enrollmentID: String, code: String, app: AppName) async throws(AccountFailure) -> User
    func removeSecondFactor(uid: String, app: AppName) async throws(AccountFailure) -> User
    /// The first factor was right, and a second one is required.
    ///
    /// - Parameters:
    ///   - generation: the user's when the first factor was right.
    ///   - owner: the app's sign-in for which the first factor was asked for.
    /// - Returns: what `ResolveSecondFactor` takes for this sign-in; every waiting program gets its own.
    func resolver(
        for firstFactor: FirstFactor, uid: String, generation: Int64, intent: Intent, app: AppName, owner: PageOwner?
    ) async throws(AccountFailure) -> Secret
    func startSecondFactor(resolver: String, uid: String) async throws(AccountFailure)
    func resolveSecondFactor(resolver: String, uid: String, code: String) async throws(AccountFailure) -> AccountResult

    /// The store was locked: what was read from it, keys and tokens above all, is forgotten.
    func storeLocked()
    /// Another configuration is in force.
    func configurationChanged()
}

extension AccountAuthority {
    /// For an authority that keeps nothing in memory.
    func storeLocked() {}
}

/// How a provider's credential arrived.
enum CredentialSource: Sendable {
    /// A sign-in of this daemon; its end is written in the same transaction.
    ///
    /// - Parameter isAbandoned: somebody typed a code that no program waits for.
    case session(SignInSession, StandingCredential, expiresAt: Timestamp, isAbandoned: Bool)
    /// What an earlier sign-in gave a program; used up in the same transaction, unless the decision throws.
    case handle(String)
    /// Tokens that a program already had, checked by now, and the value by which an ID token among them is recognised if it is presented
    /// again.
    ///
    /// - Parameter owner: the app's sign-in when the program presented them: to check them may take the provider a while.
    case presented(StandingCredential, SpentToken?, owner: PageOwner?)
}

/// What became of a credential.
struct Settlement: Sendable {
    /// Completed, or refused.
    var outcome: SignInOutcome
    var binding: ProviderBinding
    /// The credential that the end of a sign-in wrote, as it is on disk.
    var credential: StoredCredential?
}

/// A completed sign-in, link or reauthentication.
struct AccountResult: Sendable {
    var user: User
    var isNewUser: Bool
    /// What the provider gave; nil for a password and for anonymous users.
    var completed: CompletedSignIn?
    var intent: Intent
}

/// What was proved before a second factor was required.
enum FirstFactor: Sendable, Equatable {
    case provider(CompletedSignIn, ProviderBinding)
    case password
}

extension FirstFactor {
    /// Nil for a password.
    var providerID: String? { if case .provider(let completed, _) = self { completed.profile.identity.providerID } else { nil } }
}

/// Members that are nil stay unchanged; an empty name or photo is removed.
struct UserUpdate: Sendable {
    var displayName: String?
    var photoURL: String?
    var email: String?
    var password: Secret?
}

struct UserToken: Sendable {
    var idToken: Secret
    var expiresAt: Timestamp
}

/// A second factor that has yet to be confirmed with a code.
struct Enrollment: Sendable {
    var id: Secret
    /// In Base32, for entering it by hand; nil for a phone.
    var secret: Secret?
    /// `otpauth://totp/…`; nil for a phone.
    var provisioningURI: Secret?
}

extension SignInOutcome {
    /// Throws a refusal that leaves the program what it has: a handle stays valid, a token can be presented again. To be called inside a
    /// transaction, which is then rolled back.
    func requireCredentialUsed(app: AppName) throws(AccountFailure) {
        guard case .refused(let refusal, _) = self, refusal.leavesCredential else { return }
        throw .refused(refusal, app: app)
    }
}
