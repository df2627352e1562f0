import PosternClient
import PosternInterface
import Secrets
import StrictJSON

/// Replies that a daemon would give.
enum Sample {
    static let user = User(
        uid: "u1", isAnonymous: false, displayName: "Ada Lovelace", email: "ada@example.com", emailVerified: true,
        providerData: [ProviderData(providerID: "demo", uid: "demo-1815")], secondFactors: [], createdAt: "2026-11-21T06:24:00Z",
        lastSignInAt: "2026-11-21T06:24:00Z")
    static let credential = Credential(providerID: "demo", signInMethod: "demo", accessToken: "secret-token", scopes: ["openid"])

    static func event(_ state: SignInEvent.State) -> JSONObject {
        var event = SignInEvent(sessionID: "s1", state: state, expiresAt: "2026-11-21T06:34:00Z")
        if state == .authorizationPending { event.authorizationURL = "https://provider.example/authorize" }
        if state == .completed {
            event.credential = credential
            event.result = AuthResult(user: user, credential: credential, operation: .signIn)
        }
        return Interface.SignIn.Reply(event: event).object
    }

    static let token = Interface.GetAccessToken.Reply(accessToken: "secret-token", tokenType: "Bearer", scopes: [], uid: "demo-1815")
}
