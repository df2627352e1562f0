import NIOCore
import StrictJSON
import Varlink

/// The way back to one call. To be used on the listener's event loop.
///
/// After the final reply, and after the client is gone, everything that is sent here is dropped.
public final class VarlinkReplyHandle: @unchecked Sendable {
    // Unchecked: used on the listener's event loop alone, which every method asserts.

    private let eventLoop: any EventLoop
    private weak var connection: VarlinkConnectionHandler?
    private let acceptsMore: Bool
    private let isSilent: Bool
    private var cancellation: (() -> Void)?
    private var isFinished = false

    init(connection: VarlinkConnectionHandler, call: VarlinkCall, eventLoop: any EventLoop) {
        self.connection = connection
        self.eventLoop = eventLoop
        acceptsMore = call.more
        isSilent = call.oneway
    }

    /// The client is gone, or has its answer.
    public var isCancelled: Bool { isFinished || connection == nil }

    /// - Parameters:
    ///   - continues: another reply follows. To a caller that did not ask for `more` such a reply is not sent.
    ///   - written: called when the bytes have been handed to the kernel; never where the client is gone.
    public func send(_ parameters: JSONObject, continues: Bool = false, written: (@Sendable () -> Void)? = nil) {
        eventLoop.assertInEventLoop()
        guard !isFinished else { return }
        if continues {
            guard acceptsMore, !isSilent else { return }
        } else {
            finish()
        }
        guard let connection else { return }
        if isSilent {
            written?()
        } else {
            connection.write(written: written) { bytes in
                bytes.append(contentsOf: Self.begin)
                parameters.serialize(into: &bytes)
                bytes.append(contentsOf: continues ? Self.endContinuing : Self.end)
            }
        }
        if !continues { connection.answered() }
    }

    public func fail(_ error: VarlinkError) {
        eventLoop.assertInEventLoop()
        guard !isFinished else { return }
        finish()
        guard let connection else { return }
        if !isSilent {
            connection.write(written: nil) { bytes in
                let message: JSONObject = ["error": .string(error.name), "parameters": .object(error.parameters)]
                message.serialize(into: &bytes)
            }
        }
        connection.answered()
    }

    /// Called once if the client goes before the final reply; at once where it has gone already.
    public func onCancel(_ body: @escaping () -> Void) {
        eventLoop.assertInEventLoop()
        guard !isFinished else { return }
        if connection == nil { body() } else { cancellation = body }
    }

    func clientGone() {
        guard !isFinished else { return }
        isFinished = true
        let body = cancellation
        cancellation = nil
        body?()
    }

    private func finish() {
        isFinished = true
        cancellation = nil
    }

    private static let begin = Array(#"{"parameters":"#.utf8)
    private static let end = Array("}".utf8)
    private static let endContinuing = Array(#","continues":true}"#.utf8)
}
