import PosternClient
import StrictJSON
import Varlink

/// The daemon's events since a moment.
struct EventWatch {
    private let connection: PosternConnection
    private var replies: VarlinkReplies

    /// Starts to watch. The daemon accepts connections in order: once it replies on a later one, it has accepted this one.
    init(socketPath: String) throws(PosternError) {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
    }

    func close() { connection.close() }

    /// The next event; nil if none came in time.
    mutating func next(within milliseconds: Int64) throws -> Interface.Monitor.Reply? {
        let reply: JSONObject?
        do throws(VarlinkClientError) { reply = try replies.next(timeout: .milliseconds(milliseconds)) } catch .timedOut { return nil }
        guard let reply else { throw PosternError.connectionLost(reason: "there are no more events") }
        return try PosternConnection.read(Interface.Monitor.Reply.self, from: reply)
    }
}
