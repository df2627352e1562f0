import Glibc
import NIOCore
import PosternClient
import Varlink

/// A connection to the daemon, for one call at a time.
final class DaemonConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Of the call under way, one at a time; the last one ends it.
    enum Event {
        case reply(VarlinkReply)
        /// The connection is over.
        case ended(PosternError)
    }

    private let channel: any Channel
    private var received = ByteBuffer()
    /// Bytes of `received` that hold no NUL.
    private var searched = 0
    private var listener: ((Event) -> Void)?
    /// Called once, when nobody waits for a reply.
    private var closedIdle: (() -> Void)?
    private(set) var isOpen = true

    /// Bytes of one reply.
    private let limit: Int

    init(_ channel: any Channel, limit: Int) {
        self.channel = channel
        self.limit = limit
    }

    /// Sends a call.
    ///
    /// - Parameter listener: called for each reply, and at the end of the connection unless the last reply came before.
    func send(_ call: VarlinkCall, listener: @escaping (Event) -> Void) {
        closedIdle = nil
        self.listener = listener
        var bytes: [UInt8] = []
        call.serialize(into: &bytes)
        bytes.append(MessageEnding.nul.rawValue)
        // A connection that is closed reports that as its end.
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// No call is under way.
    ///
    /// - Parameter closed: called if the daemon closes the connection before the next one.
    func rest(closed: @escaping () -> Void) { closedIdle = closed }

    func close() {
        (listener, closedIdle, isOpen) = (nil, nil, false)
        channel.close(promise: nil)
    }

    // MARK: Channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        while isOpen, let length = messageLength() {
            let message = received.readSlice(length: length)
            received.moveReaderIndex(forwardBy: 1)
            searched = 0
            guard let message else { return }
            let reply: Result<VarlinkReply, VarlinkClientError> = message.withUnsafeReadableBytes { bytes in
                do throws(VarlinkClientError) { return .success(try VarlinkReply(parsing: bytes)) } catch { return .failure(error) }
            }
            switch reply {
            case .success(let reply): report(reply)
            case .failure(let error): end(PosternError(error))
            }
        }
        received.discardReadBytes()
        searched = received.readableBytes
        if searched > limit { end(.malformedReply(reason: "it is longer than \(limit) bytes")) }
    }

    func channelInactive(context: ChannelHandlerContext) { end(PosternError(VarlinkClientError.connectionClosed)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(PosternError(VarlinkClientError.connectionClosed)) }

    private func messageLength() -> Int? {
        received.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress, searched < bytes.count,
                let found = memchr(start + searched, CInt(MessageEnding.nul.rawValue), bytes.count - searched)
            else { return nil }
            return start.distance(to: UnsafeRawPointer(found))
        }
    }

    private func report(_ reply: VarlinkReply) {
        guard let listener else { return end(.malformedReply(reason: "it belongs to no call")) }
        if case .parameters(_, continues: true) = reply {} else { self.listener = nil }
        listener(.reply(reply))
    }

    private func end(_ error: PosternError) {
        guard isOpen else { return }
        let (listener, closedIdle) = (listener, closedIdle)
        close()
        listener?(.ended(error))
        closedIdle?()
    }
}
