import PosternApplication
import PosternConfiguration
import PosternCore

/// A callback listener whose addresses are what the test says.
@DaemonActor
final class FakeListener: CallbackListening {
    private(set) nonisolated(unsafe) var needs: [CallbackNeed] = []
    nonisolated(unsafe) var status: CallbackStatus
    /// How it stands from the next search on.
    nonisolated(unsafe) var next: CallbackStatus?

    nonisolated init() { status = Self.held }

    func seek(_ need: CallbackNeed) async {
        needs.append(need)
        if let next { status = next }
        next = nil
    }

    func configurationChanged(_ configuration: Configuration) {}

    nonisolated static var held: CallbackStatus { .open(CallbackReach(scheme: "http", configured: port(7678, .held))) }

    /// Another process has the port; there is a free one.
    nonisolated static var taken: CallbackStatus {
        .open(
            CallbackReach(scheme: "http", configured: port(7678, .taken(by: .user("bob"))), substitute: port(40000, .held)))
    }

    private nonisolated static func port(_ number: Int, _ status: CallbackReach.Status) -> CallbackReach.Port {
        let main = CallbackReach.Address(host: "127.0.0.1", port: number, status: status)
        return CallbackReach.Port(main: main, localhost: [main, CallbackReach.Address(host: "::1", port: number, status: .absent)])
    }
}
