import Synchronization

/// Holds the connection of one running call, so that a cancellation can close it.
final class CallSlot: Sendable {
    private enum State {
        case waiting
        case connected(PosternConnection)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Connects, unless the call has already been cancelled.
    func connect(socketPath: String, servers: [UInt32]) throws(PosternError) -> PosternConnection {
        let connection = try PosternConnection(socketPath: socketPath, servers: servers)
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .connected(connection)
            return false
        }
        guard !isCancelled else { throw .cancelled }
        return connection
    }

    func cancel() {
        let connection = state.withLock { state in
            defer { state = .cancelled }
            if case .connected(let connection) = state { return connection as PosternConnection? }
            return nil
        }
        connection?.close()
    }
}
