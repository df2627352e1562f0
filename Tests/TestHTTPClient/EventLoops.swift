import NIOCore
import NIOPosix

/// One loop for all tests, as the daemon has one for all its HTTP.
enum EventLoops {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    static var one: any EventLoop { group.next() }
}
