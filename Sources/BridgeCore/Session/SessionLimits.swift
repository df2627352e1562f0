/// What a session keeps of both sides.
struct SessionLimits: Sendable {
    /// Requests of the client that run at once, with streams that go on after their response.
    var calls = 64
    /// Of its notifications and responses.
    var notices = 32
    /// Messages of the client that are read before they can be sent. Far more than ``calls``, so that a response for which the server holds
    /// back all of its answers is not left in the pipe.
    var waiting = 1024
    /// Of the client's messages, and of the answers that are not complete.
    var bytes = 64 << 20
    /// One answer or event.
    var message = LineReader.defaultLimit
    /// Of an answer with an error status.
    var errorBody = 1 << 20
    /// Of an answer of which nothing matters.
    var drained = 64 << 10
    /// Milliseconds for the rest of an answer that has no message for the client: a connection is not worth more.
    var rest: Int64 = 10_000
    /// Milliseconds until the server answers a notification or response, of which it says nothing: others wait behind it.
    var noticeAnswer: Int64 = 60_000
    /// To take up a stream, one after the other without an event.
    var resumptions = 5
}
