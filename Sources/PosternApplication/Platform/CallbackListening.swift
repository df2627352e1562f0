import PosternConfiguration
import PosternCore

/// Keeps the addresses that providers send browsers back to.
@DaemonActor
public protocol CallbackListening: AnyObject {
    var standing: CallbackStanding { get }
    /// Takes the addresses that are needed and not held, as far as they are available now. Those that are held stay.
    func seek(_ need: CallbackNeed) async
    /// Another configuration is in force. What is open stays where it is; what could not be opened is, with the next ``seek(_:)``.
    func configurationChanged(_ configuration: Configuration)
}

/// How the callback listener stands.
public enum CallbackStanding: Sendable, Hashable {
    case open(CallbackReach)
    /// Something that the configuration names cannot be used, so no answer is taken anywhere.
    case unusable(ConfigurationError)
}

/// What the callback listener is needed for.
public struct CallbackNeed: Sendable, Hashable {
    /// A provider takes `localhost` alone.
    public var localhost: Bool
    /// Where sign-ins that wait await their answers: `http://127.0.0.1:7678/__/auth/handler`.
    public var awaited: Set<String>

    public init(localhost: Bool = false, awaited: Set<String> = []) {
        self.localhost = localhost
        self.awaited = awaited
    }
}
