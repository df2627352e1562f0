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

/// Looks for addresses of the listener that are needed and not held.
@DaemonActor
protocol AddressSeeking: AnyObject, Sendable {
    func seek() async
    /// Tries once more before anything is reported about a missing one.
    func seekMissing() async
}

/// The state of the callback listener.
public enum CallbackStatus: Sendable, Hashable {
    case open(CallbackReach)
    /// Something that the configuration names cannot be used, so no answers are accepted anywhere.
    case unusable(ConfigurationError)

    /// What is wrong with the address in redirect URIs, in a few words; nil if it is held.
    public var trouble: String? {
        switch self {
        case .unusable(let error): return "callbacks cannot be received: \(error)"
        case .open(let reach):
            let main = reach.configured.main
            return main.trouble.map { "\(main.authority) \($0)" }
        }
    }

    /// Base URLs of the listener.
    public var origins: [String] { if case .open(let reach) = self { reach.origins } else { [] } }
}
