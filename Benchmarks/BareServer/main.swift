import Glibc
import NIOCore
import NIOPosix

// The control for a cold start: what NIO and the Swift runtime take with nothing behind them. Answers each NUL-ended message on the
// listening socket that it is passed as descriptor 3 with BYTES bytes and a NUL, until it is ended.
//
// usage: bare-nio-server BYTES

final class FixedAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let answer: ByteBuffer

    init(_ answer: ByteBuffer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView where byte == 0 {
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }
}

guard CommandLine.arguments.count == 2, let length = Int(CommandLine.arguments[1]), length >= 0 else {
    print("usage: bare-nio-server BYTES")
    exit(64)
}
var bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: length)
bytes.writeInteger(UInt8(0))
let answer = bytes
let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let server = try ServerBootstrap(group: group)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FixedAnswer(answer)) }
    }
    .withBoundSocket(3)
    .wait()
try server.closeFuture.wait()
