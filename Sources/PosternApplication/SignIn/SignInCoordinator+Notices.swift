import PosternCore
import PosternInterface

extension SignInCoordinator: SignInStarting {
    func begin(_ request: SignInRequest, of provider: Provider, timeoutSeconds: Int64, activationToken: String?) {
        // Nobody waits for the end: the browser shows it, and the credential works again.
        let listener = SignInListener(nil, presenter: .daemon) { Interface.SignIn.Reply(event: $0) }
        _ = try? asked(
            request, of: provider, timeoutSeconds: timeoutSeconds, requester: "the notification",
            process: CallingProcess(pid: 0, executable: "posternd", unit: nil), activationToken: activationToken, listener: listener)
    }
}
