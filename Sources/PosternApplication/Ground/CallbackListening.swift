import PosternConfiguration
import PosternCore

/// Holds the addresses that providers send browsers back to.
@DaemonActor
public protocol CallbackListening: AnyObject {
    var status: CallbackStatus { get }
    /// Binds the addresses that are needed and not held, as far as they are available now. Those that are held stay.
    func seek(_ need: CallbackNeed) async
    /// Another configuration is in force. What is open stays where it is; what could not be opened is opened by the next ``seek(_:)``.
    func configurationChanged(_ configuration: Configuration)
    /// What browsers refuse the certificate for that it shows now, one sentence each.
    var certificateProblems: [String] { get }
}

extension CallbackListening {
    public var certificateProblems: [String] { [] }
}

/// The state of the callback listener.
public enum CallbackStatus: Sendable, Hashable {
    case open(CallbackReach)
    /// Something that the configuration names cannot be used, so no answers are accepted anywhere.
    case unusable(ConfigurationError)
}

/// What the callback listener is needed for.
public struct CallbackNeed: Sendable, Hashable {
    /// A provider accepts only `localhost`.
    public var localhost: Bool
    /// The addresses at which waiting sign-ins expect their answers: `http://127.0.0.1:7678/__/auth/handler`.
    public var awaited: Set<String>

    public init(localhost: Bool = false, awaited: Set<String> = []) {
        self.localhost = localhost
        self.awaited = awaited
    }
}
