import BridgeCore
import Glibc
import NIOCore
import NIOPosix
import PosternClient
import PosternInterface

/// The bridge over standard input and output, for one client and one server.
public struct StdioService: Sendable {
    private let server: String
    private let isInteractive: Bool
    private let socketPath: String
    private let input: StdioDescriptor
    private let output: StdioDescriptor
    private let suggestion: @Sendable (String, [String]) -> String?

    /// Opens standard input and output anew, which a confined process may not.
    ///
    /// - Parameters:
    ///   - server: the NAME of an `[mcp.NAME]`, or a URL.
    ///   - suggestion: the name that may be meant, of those that there are.
    public init(
        server: String, isInteractive: Bool, socketPath: String?, suggestion: @escaping @Sendable (String, [String]) -> String?
    ) {
        self.server = server
        self.isInteractive = isInteractive
        self.socketPath = socketPath ?? SocketPath.current
        input = StdioDescriptor(STDIN_FILENO, flags: O_RDONLY)
        output = StdioDescriptor(STDOUT_FILENO, flags: O_WRONLY)
        self.suggestion = suggestion
    }

    /// Serves until the end of the process, which this begins.
    ///
    /// - Parameter waiting: what this thread does meanwhile; it gets a function that ends the service.
    public func run(_ waiting: (_ stop: @escaping @Sendable () -> Void) -> Never) -> Never {
        let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let ends = NIOLoopBoundBox<[() -> Void]>.makeBoxSendingValue([], eventLoop: eventLoop)
        eventLoop.execute { begin(on: eventLoop) { ends.value = [$0] } }
        waiting { eventLoop.execute { for end in ends.value { end() } } }
    }

    /// - Parameter ending: gets what ends the session of that time.
    private func begin(on eventLoop: any EventLoop, ending: @escaping (@escaping () -> Void) -> Void) {
        let ends = StdioEnds(
            input: StdioInput(input, eventLoop: eventLoop),
            output: StdioOutput(output, eventLoop: eventLoop), eventLoop: eventLoop)
        let link = DaemonLink(socketPath: socketPath, eventLoop: eventLoop)
        let upstream = DaemonUpstream(link, eventLoop: eventLoop, isInteractive: isInteractive)
        upstream.waits = { ends.errors.tell("\($0.message); a request waits for that") }
        let door = StdioDoor(
            ends, isTerminal: isatty(STDIN_FILENO) == 1,
            route: { StdioRouter(link: link, eventLoop: eventLoop, suggestion: suggestion).route(to: server) },
            open: { route, first in
                let bridge = StdioBridge(
                    machine: StreamableSession(url: route.url), upstream: upstream, account: route.account, ends: ends, finished: end)
                ending(bridge.stop)
                bridge.start(first: first)
            }, finished: end)
        ending(door.stop)
        ends.input.start()
        ends.output.start()
        door.start()
    }

    /// Nothing is left to be written, and nobody waits for what the libraries would tidy up.
    private func end(_ status: Int32) { _exit(status) }
}

extension StreamableSession: SessionMachine {}

/// Finds out from the daemon which server is meant.
struct StdioRouter {
    let link: DaemonLink
    let eventLoop: any EventLoop
    let suggestion: (String, [String]) -> String?

    func route(to server: String) -> EventLoopFuture<StdioRoute> {
        let promise = eventLoop.makePromise(of: StdioRoute.self)
        let isURL = Self.isURL(server)
        let call = isURL ? Interface.GetRoute(url: server) : Interface.GetRoute(providerID: server)
        // A call that changes nothing, so it can be made again at a daemon that was just restarted.
        link.call(call, isRepeatable: true) { result in
            switch result {
            case .success(let reply):
                do throws(StdioRefusal) { promise.succeed(try Self.route(reply, to: server, isURL: isURL)) } catch { promise.fail(error) }
            case .failure(.refused(.providerNotFound)) where !isURL: unknown(server, promise)
            case .failure(let error): promise.fail(Self.refusal(error))
            }
        }
        return promise.futureResult
    }

    static func isURL(_ server: String) -> Bool { server.range(ofText: "://") != nil }

    static func route(_ reply: Interface.GetRoute.Reply, to server: String, isURL: Bool) throws(StdioRefusal) -> StdioRoute {
        let account = reply.account ?? reply.providerID
        if isURL { return StdioRoute(url: server, account: account) }
        guard reply.isMCP, let url = reply.urls.first else {
            throw StdioRefusal(
                sentence: "\(server) is no MCP server; give the URL of one that its tokens are for, or add one with: postern mcp add URL",
                status: 1, code: MCPErrorCode.daemon)
        }
        return StdioRoute(url: url, account: account)
    }

    private func unknown(_ server: String, _ promise: EventLoopPromise<StdioRoute>) {
        link.call(Interface.ListProviders(), isRepeatable: true) { result in
            let names = (try? result.get())?.providers.map(\.providerID) ?? []
            let meant = suggestion(server, names).map { "; did you mean \($0)?" } ?? "; postern mcp list shows the servers"
            promise.fail(
                StdioRefusal(sentence: "there is no MCP server called \"\(server)\"" + meant, status: 1, code: MCPErrorCode.daemon))
        }
    }

    static func refusal(_ error: PosternError) -> StdioRefusal {
        let failure = BridgeFailure(error)
        return StdioRefusal(sentence: failure.message, status: status(error, failure.kind), code: failure.kind.errorCode)
    }

    /// As `postern` has them.
    private static func status(_ error: PosternError, _ kind: BridgeFailure.Kind) -> Int32 {
        switch error {
        case .refused: kind == .personNeeded ? 3 : 1
        default: 4
        }
    }
}
