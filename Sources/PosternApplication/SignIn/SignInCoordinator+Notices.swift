import PosternCore
import PosternInterface

extension SignInCoordinator: SignInStarting {
    func begin(_ request: SignInRequest, of provider: Provider, timeoutSeconds: Int64, activationToken: String?) {
        _ = asked(
            request, of: provider, timeoutSeconds: timeoutSeconds, requester: "the notification", process: .daemon,
            activationToken: activationToken, listener: NoticeListener())
    }
}

/// Nobody waits for the end of a sign-in that a notice started: the browser shows it, and the credential works again.
@DaemonActor
private final class NoticeListener: SignInListener {
    let wantsEveryEvent = false
    let presentation: Interface.SignIn.Presentation? = .daemon

    func eventHappened(_ event: Interface.SignInEvent) {}

    func ended(_ result: Result<Interface.SignInEvent, InterfaceError>) {}

    var isReceived: Bool { get async { true } }
}

extension CallingProcess {
    /// The daemon itself.
    fileprivate static var daemon: CallingProcess { CallingProcess(pid: 0, executable: "posternd", unit: nil) }
}
