import StrictJSON

/// The replies to a call with `more`, in order.
public struct VarlinkReplies: Sendable {
    private let connection: VarlinkConnection
    private let call: Int
    private var isFinished = false

    init(connection: VarlinkConnection, call: Int) {
        self.connection = connection
        self.call = call
    }

    /// Waits for the next reply; nil after the last one.
    ///
    /// - Parameter timeout: for this reply; nil waits for ever.
    /// - Throws: `VarlinkClientError`; an error from the service is the last reply.
    public mutating func next(timeout: Duration? = nil) throws(VarlinkClientError) -> JSONObject? {
        if isFinished { return nil }
        switch try connection.nextReply(to: call, deadline: Deadline(after: timeout)) {
        case .parameters(let parameters, let continues):
            isFinished = !continues
            return parameters
        case .error(let error):
            isFinished = true
            throw .remote(error)
        }
    }
}
