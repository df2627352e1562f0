import PosternCore
import PosternInterface
import StrictJSON

extension Interface.AuthResult {
    init(_ result: AccountResult) {
        guard let completed = result.completed else {
            let providerID = result.user.isAnonymous ? AppSignIn.anonymousProviderID : User.passwordProviderID
            self.init(
                user: Interface.User(result.user),
                additionalUserInfo: Interface.AdditionalUserInfo(
                    providerID: providerID, isNewUser: result.isNewUser, profile: JSONObject()),
                operation: Operation(result.intent))
            return
        }
        self.init(
            user: result.user, completed: completed, credential: Interface.Credential(completed), intent: result.intent)
    }

    init(user: User, completed: CompletedSignIn, credential: Interface.Credential, intent: Intent) {
        let identity = completed.profile.identity
        self.init(
            user: Interface.User(user), credential: credential,
            additionalUserInfo: Interface.AdditionalUserInfo(
                providerID: identity.providerID, isNewUser: completed.isNewUser, username: identity.username,
                profile: completed.profile.document),
            operation: Operation(intent))
    }
}

extension Interface.AuthResult.Operation {
    fileprivate init(_ intent: Intent) {
        switch intent {
        case .signIn, .credential: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        }
    }
}
