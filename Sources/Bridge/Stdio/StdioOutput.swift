import Glibc
import NIOCore
import NIOPosix

protocol StdioOutputHandler: AnyObject {
    /// Less waits than before.
    func outputDrained()
    /// Nobody reads any more.
    func outputClosed()
}

/// The lines of standard output. None is dropped while somebody reads; how many wait is for its user to bound.
final class StdioOutput {
    weak var handler: (any StdioOutputHandler)?
    /// Bytes that the client has not taken yet.
    private(set) var waiting = 0
    private(set) var isClosed = false
    private var isFlushed = true

    private let eventLoop: any EventLoop
    private let target: StdioDescriptor
    private var channel: (any Channel)?
    /// Until the channel is there.
    private var early: [ByteBuffer] = []

    init(_ target: StdioDescriptor, eventLoop: any EventLoop) {
        self.target = target
        self.eventLoop = eventLoop
    }

    func start() {
        guard case .waited(let descriptor) = target else { return }
        let output = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(output.value)) }
            }
            .takingOwnershipOfDescriptor(output: descriptor)
            .assumeIsolated()
            .whenComplete { [weak self] in
                guard let self else { return }
                guard case .success(let channel) = $0 else { return closed() }
                self.channel = channel
                for buffer in early { write(buffer, to: channel) }
                early = []
                channel.flush()
            }
    }

    /// A line without its end. ``flush()`` sends it.
    func write(_ line: [UInt8]) {
        guard !isClosed else { return }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(line.count + 1)
        buffer.writeBytes(line)
        buffer.writeInteger(0x0A as UInt8)
        if case .ready(let descriptor) = target { return writeReady(buffer, to: descriptor) }
        waiting += buffer.readableBytes
        if let channel { write(buffer, to: channel) } else { early.append(buffer) }
    }

    func flush() {
        guard !isFlushed else { return }
        isFlushed = true
        channel?.flush()
    }

    private func write(_ buffer: ByteBuffer, to channel: any Channel) {
        let count = buffer.readableBytes
        isFlushed = false
        channel.write(buffer).assumeIsolated().whenComplete { [weak self] in
            guard let self else { return }
            waiting -= count
            if case .success = $0 { handler?.outputDrained() }
        }
    }

    private func writeReady(_ buffer: ByteBuffer, to descriptor: Int32) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest.moveReaderIndex(forwardBy: count) } else if errno != EINTR { return closed() }
        }
    }

    fileprivate func closed() {
        guard !isClosed else { return }
        isClosed = true
        early = []
        handler?.outputClosed()
    }
}

extension StdioOutput {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let output: StdioOutput

        init(_ output: StdioOutput) { self.output = output }

        func channelInactive(context: ChannelHandlerContext) { output.closed() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
