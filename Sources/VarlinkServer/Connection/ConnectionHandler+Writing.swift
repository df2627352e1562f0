import NIOCore
import StrictJSON
import Varlink

extension ConnectionHandler {
    func write(_ reply: OutgoingReply, continues: Bool, _ ending: MessageEnding) {
        // The listener's scratch memory is taken out while in use, so that it is not copied.
        var bytes: [UInt8] = []
        swap(&bytes, &listener.scratch)
        bytes.removeAll(keepingCapacity: true)
        switch reply {
        case .parameters(let parameters): VarlinkReply.serialize(parameters, continues: continues, into: &bytes)
        case .failure(let name, let parameters): VarlinkReply.serialize(error: name, parameters, into: &bytes)
        }
        bytes.append(ending.rawValue)
        mayOweNUL = ending == .newline
        output.writeBytes(bytes)
        // It is kept for the next reply, and there may be a secret in this one.
        bytes.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
        // One large reply must not be paid for for ever.
        if bytes.capacity <= 64 << 10 { swap(&bytes, &listener.scratch) }
    }

    /// Hands what is written to the socket, once for all the replies of a burst.
    func flushOutput() {
        guard output.readableBytes > 0, let context else { return }
        if isInReadBurst || isPumping, output.readableBytes < Self.largeBurst { return }
        let bytes = output
        output = ByteBuffer()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        closeIfUnread()
    }

    /// The client keeps up with reading its replies.
    var hasRoomForReplies: Bool { context?.channel.isWritable ?? false }

    /// More than this is worth a system call of its own.
    private static let largeBurst = 64 << 10

    private func closeIfUnread() {
        guard let channel = context?.channel, !channel.isWritable else { return }
        let unread = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if unread > listener.limits.unreadBytes { close() }
    }

    // MARK: - The end

    /// Answers what cannot be carried out, and ends.
    ///
    /// - Parameter ending: nil where it is not known what the client waits for. A newline is white space to a program,
    ///   and a NUL invisible to a person.
    func end(with error: VarlinkError, _ ending: MessageEnding? = nil) {
        write(.error(error), continues: false, ending ?? .newline)
        if ending == nil { output.writeInteger(MessageEnding.nul.rawValue) }
        end()
    }

    /// Flushes what is written and closes: at once where the client sends no more, else after it has had time to
    /// see the end, because a socket closed on unread bytes takes the answer with it.
    func end() {
        guard phase == .serving || phase == .draining, let context else { return }
        let sendsNoMore = phase == .draining
        phase = .ending
        waiting = []
        waitingBytes = 0
        input = ByteBuffer()
        let bytes = output
        output = ByteBuffer()
        // Before the write: that may close the connection at once, which takes the timer back.
        resumption?.cancel()
        resumption = context.eventLoop.assumeIsolated().scheduleTask(in: listener.limits.lingering) { [self] in close() }
        let flushed = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: flushed)
        flushed.futureResult.assumeIsolated().whenComplete { [self] _ in
            if sendsNoMore { close() } else { self.context?.close(mode: .output, promise: nil) }
        }
        settlePlace()
        resumeReading()
    }
}
