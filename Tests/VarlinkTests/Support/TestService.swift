import Glibc
import StrictJSON
import Varlink
import VarlinkServer

/// A service that does what a test needs, and tells the test what has happened.
final class TestService: VarlinkService {
    struct Log {
        var calls: [VarlinkCall] = []
        var held: [VarlinkReplyHandle] = []
        var opened = 0
        var closed = 0
        var cancelled = 0
        var cutOff: [VarlinkUnreadReplies] = []
        var peer: VarlinkPeer?
    }

    let log = Watched(Log())

    let interfaces = [
        VarlinkInterface(
            name: "org.example.test",
            description: """
                interface org.example.test
                # The text comes back.
                method Echo(text: ?string) -> (text: ?string)
                # Answered when the test says so.
                method Hold() -> ()
                # `count` replies.
                method Stream(count: int) -> (index: int)
                # A reply of so many bytes.
                method Fill(bytes: int) -> (text: string)
                # The service forgets the call.
                method Forget() -> ()
                # The reply is sent from another thread.
                method Elsewhere() -> (done: bool)
                error Failed (message: string)
                """
        )
    ]

    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
        log.change { $0.calls.append(call) }
        switch call.method {
        case "org.example.test.Echo": echo(call, reply)
        case "org.example.test.Hold":
            reply.onCancel { [log] in log.change { $0.cancelled += 1 } }
            log.change { $0.held.append(reply) }
        case "org.example.test.Stream":
            let count = Int(call.parameters["count"]?.integerValue ?? 0)
            for index in 0..<count { reply.send(["index": .integer(Int64(index))], continues: index + 1 < count) }
        case "org.example.test.Fill":
            let bytes = Int(call.parameters["bytes"]?.integerValue ?? 0)
            reply.send(["text": .string(String(repeating: "x", count: bytes))])
        case "org.example.test.Forget": break
        case "org.example.test.Elsewhere": Thread.run { reply.send(["done": true]) }
        default: reply.fail(.methodNotImplemented(call.method))
        }
    }

    private func echo(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) {
        do throws(JSONMemberError) {
            try call.parameters.allowOnly(["text"])
            var parameters = JSONObject()
            parameters.set("text", try call.parameters.optional("text", as: String.self))
            reply.send(parameters)
        } catch { reply.fail(.invalidParameter(error)) }
    }

    func connectionOpened(_ peer: VarlinkPeer) {
        log.change {
            $0.opened += 1
            $0.peer = peer
        }
    }

    func connectionClosed(_ peer: VarlinkPeer) { log.change { $0.closed += 1 } }

    func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies) { log.change { $0.cutOff.append(unread) } }

    /// The oldest call to `Hold` without an answer.
    func takeHeld() -> VarlinkReplyHandle {
        log.wait { !$0.held.isEmpty }
        return log.change { $0.held.removeFirst() }
    }
}
