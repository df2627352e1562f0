import StrictJSON
import Synchronization
import Varlink

/// Replies to one call. May be used from any thread; off the loop, replies are sent a little later.
///
/// The first final reply or error counts, and what follows it, or follows the peer's disconnection, is dropped. If the last reference is
/// released without a final reply, the connection is closed: a client never waits for nothing. Until one of the two happens, the connection
/// keeps its place among those of the listener, even if the peer has disconnected.
public final class VarlinkReplyHandle: Sendable {
    private let connection: ConnectionHandler
    private let call: Int
    /// A final reply was sent, perhaps still on its way from another thread.
    private let isFinished = Atomic<Bool>(false)
    /// The call accepts more than one reply.
    public let wantsMore: Bool
    /// The call wants no reply, so its client may disconnect as soon as it has sent it, and it is carried out anyway.
    public let isOneway: Bool

    init(connection: ConnectionHandler, call: Int, wantsMore: Bool, isOneway: Bool) {
        self.connection = connection
        self.call = call
        self.wantsMore = wantsMore
        self.isOneway = isOneway
    }

    deinit {
        guard !isFinished.load(ordering: .acquiring) else { return }
        connection.loop.execute { [connection, call] in connection.callAbandoned(call) }
    }

    /// Who called.
    public var peer: VarlinkPeer { connection.peer }

    /// Sends a reply. With `continues`, others follow; a call without `more` gets `ExpectedMore` instead, as its final reply.
    public func send(_ parameters: JSONObject, continues: Bool = false) {
        submit(.parameters(parameters), continues: continues)
    }

    /// Sends these members as an object, without creating one.
    public func send(_ parameters: some JSONMembers, continues: Bool = false) {
        submit(.parameters(parameters), continues: continues)
    }

    /// Ends the call with an error.
    public func fail(_ error: VarlinkError) { fail(error.name, error.parameters) }

    /// Ends the call with an error, by its full name.
    public func fail(_ name: String, _ parameters: some JSONMembers) {
        submit(.failure(name, parameters), continues: false)
    }

    /// The peer disconnected while the call was under way, or the call has its final reply. To be read on the loop.
    public var isCancelled: Bool { !connection.isOpen(call) }

    /// Runs the closure, on the loop, when the peer disconnects before the final reply; at once if it already has.
    /// A second closure replaces the first.
    public func onCancel(_ body: @escaping @Sendable () -> Void) {
        if connection.loop.isCurrent {
            connection.onCancel(of: call, body)
        } else {
            connection.loop.execute { [connection, call] in connection.onCancel(of: call, body) }
        }
    }

    private func submit(_ reply: OutgoingReply, continues: Bool) {
        if !continues { isFinished.store(true, ordering: .releasing) }
        if connection.loop.isCurrent {
            connection.reply(to: call, reply, continues: continues)
        } else {
            connection.loop.execute { [connection, call] in connection.reply(to: call, reply, continues: continues) }
        }
    }
}

enum OutgoingReply: Sendable {
    case parameters(any JSONMembers)
    /// With the error's full name.
    case failure(String, any JSONMembers)

    static func error(_ error: VarlinkError) -> OutgoingReply { .failure(error.name, error.parameters) }
}
