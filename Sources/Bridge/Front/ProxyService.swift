import BridgeCore
import Glibc
import LoopbackHTTP
import NIOCore
import NIOPosix
import PosternValues

/// The proxy of one command: a Unix socket for each account, and a port for all.
public struct ProxyService: Sendable {
    private let settings: ProxySettings
    private let sockets: [LoopbackSocket]
    private let portSocket: LoopbackSocket?
    private let routes: [ProxyRoute]

    public static let longestSettings = ProxySettings.longest

    /// Listens, and answers nothing yet. To be called before the process gives up the file system.
    ///
    /// - Parameter line: the settings.
    public init(settings line: [UInt8]) throws(ProxyServiceError) {
        let settings = try ProxySettings(line)
        self.settings = settings
        var routes: [ProxyRoute] = []
        do throws(EndpointURLError) {
            for route in settings.routes { routes.append(try ProxyRoute(account: route.account, urls: route.urls, secret: route.secret)) }
        } catch { throw .url("\(error)") }
        self.routes = routes
        do throws(HTTPListenerError) {
            sockets = try LoopbackSocket.bind(settings.routes.map { .unix(path: "\(settings.directory)/\($0.name).sock") })
            portSocket = settings.hasPort ? try LoopbackSocket.bind([.address(host: "127.0.0.1", port: 0)]).first : nil
        } catch { throw .listening("\(error)") }
    }

    /// The port's number; nil without one.
    public var port: Int? { portSocket?.address.port }

    /// Serves until the process ends. Returns once connections are accepted.
    ///
    /// - Parameter tell: gets sentences for the user.
    public func start(tell: @escaping @Sendable (String) -> Void) throws(ProxyServiceError) {
        let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        do { try eventLoop.flatSubmit { serve(on: eventLoop, tell: tell) }.wait() } catch { throw .listening("\(error)") }
    }

    private func serve(on eventLoop: any EventLoop, tell: @escaping @Sendable (String) -> Void) -> EventLoopFuture<Void> {
        let link = DaemonLink(socketPath: settings.socket, eventLoop: eventLoop)
        let upstream = DaemonUpstream(link, eventLoop: eventLoop)
        let notice = ProxyNotice(tell)
        func listen(_ rules: ProxyRules, at target: BindTarget) -> EventLoopFuture<Void> {
            let front = FrontServer(
                policy: ProxyPolicy(rules, notice: notice, eventLoop: eventLoop), upstream: upstream, eventLoop: eventLoop)
            front.tell = tell
            // Until the end of the process.
            _ = Unmanaged.passRetained(front)
            return front.listen(at: [target]).map { _ in }
        }
        var started = zip(zip(settings.routes, routes), sockets).map { route, socket in
            listen(
                ProxyRules(routes: [route.1.withoutSecret], methods: settings.methods, dummy: settings.dummy),
                at: .unixDescriptor(socket.descriptor))
        }
        if let portSocket, let port {
            let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
            started.append(
                listen(
                    ProxyRules(routes: routes, methods: settings.methods, dummy: settings.dummy, hosts: hosts),
                    at: .fileDescriptor(portSocket.descriptor)))
        }
        return EventLoopFuture.andAllSucceed(started, on: eventLoop)
    }
}
