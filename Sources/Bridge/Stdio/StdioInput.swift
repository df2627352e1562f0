import BridgeCore
import Glibc
import NIOCore
import NIOPosix

protocol StdioInputHandler: AnyObject {
    func received(_ line: LineReader.Line)
    /// The client has closed its side. Comes once, behind all lines.
    func inputEnded()
}

/// The lines of standard input, which are read only as far as somebody wants them.
final class StdioInput {
    /// Gets the lines from when it is set on.
    weak var handler: (any StdioInputHandler)? { didSet { deliver() } }
    /// Whether the end is reported also while paused: whoever sent the lines that are left waits for no answer.
    var reportsEndWhilePaused = false
    /// While true, no line is delivered and nothing is read.
    var isPaused = false { didSet { if oldValue, !isPaused { deliver() } } }

    private let eventLoop: any EventLoop
    private let source: StdioDescriptor
    private var channel: (any Channel)?
    private var reader = LineReader()
    /// Of the last read; the first is the next one.
    private var lines: ArraySlice<LineReader.Line> = []
    private var isReading = false
    private var isDelivering = false
    private var state = State.open

    private enum State { case open, ended, reported }

    init(_ source: StdioDescriptor, eventLoop: any EventLoop) {
        self.source = source
        self.eventLoop = eventLoop
    }

    func start() {
        guard case .waited(let descriptor) = source else { return deliver() }
        let input = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(input.value)) }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenComplete { [weak self] in
                switch $0 {
                case .success(let channel):
                    self?.channel = channel
                    self?.deliver()
                case .failure:
                    self?.end()
                }
            }
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !isPaused, let handler, let line = lines.popFirst() { handler.received(line) }
        guard let handler, !isPaused || reportsEndWhilePaused && state == .ended else { return }
        switch state {
        case .open: read()
        case .ended:
            state = .reported
            handler.inputEnded()
        case .reported: break
        }
    }

    private func read() {
        guard !isReading else { return }
        switch source {
        case .waited:
            guard let channel else { return }
            isReading = true
            channel.read()
        case .ready(let descriptor):
            isReading = true
            let input = NIOLoopBound(self, eventLoop: eventLoop)
            // Not at once: a long file leaves the loop its other work.
            eventLoop.execute { input.value.readReady(descriptor) }
        }
    }

    private func readReady(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count: Int
        repeat { count = Glibc.read(descriptor, &buffer, buffer.count) } while count < 0 && errno == EINTR
        isReading = false
        guard count > 0 else { return end() }
        buffer.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        deliver()
    }

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) { lines += reader.receive(bytes) }

    fileprivate func readCompleted() {
        isReading = false
        deliver()
    }

    fileprivate func end() {
        guard case .open = state else { return }
        state = .ended
        if let line = reader.end() { lines.append(line) }
        deliver()
    }
}

extension StdioInput {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let input: StdioInput

        init(_ input: StdioInput) { self.input = input }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { unwrapInboundIn(data).withUnsafeReadableBytes(input.receive) }
        func channelReadComplete(context: ChannelHandlerContext) { input.readCompleted() }
        func channelInactive(context: ChannelHandlerContext) { input.end() }
        /// What a read fails with ends it like its end.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
