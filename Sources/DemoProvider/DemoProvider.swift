// DemoProvider: an OpenID provider to try and test with.
//
// Knows the server's side of OAuth: authorization, tokens, devices, introspection, sign-out; nothing is stored, and no password is asked
// for.
//
// Does not know the core: a program keeps every type of a module that it links.
//
// Imports: StrictJSON, PosternValues, PosternCrypto, LoopbackHTTP, NIOCore, Glibc.
// Start: DemoProvider.swift, AuthorizationServer.swift.

import LoopbackHTTP
import NIOCore
import PosternCrypto

/// A small but real OpenID provider on a loopback address: two accounts, no passwords, and the real protocol.
///
/// It supports OpenID Connect Core with codes and PKCE (RFC 7636), discovery, ES256, RFC 9207, refresh token rotation, revocation (RFC
/// 7009), the device flow (RFC 8628) and, for requests without `openid`, plain OAuth 2.0. All of its state is in memory and bounded.
public final class DemoProvider: Sendable {
    /// `http://127.0.0.1:PORT`
    public let issuer: String
    private let listener: HTTPListener

    private init(issuer: String, listener: HTTPListener) {
        self.issuer = issuer
        self.listener = listener
    }

    /// - Parameter port: 0 chooses a free one.
    /// - Returns: fails with `HTTPListenerError` or `CryptoError`.
    public static func start(
        options: DemoProviderOptions = DemoProviderOptions(), port: Int = 0, eventLoop: any EventLoop
    ) -> EventLoopFuture<DemoProvider> {
        let server: AuthorizationServer
        let socket: LoopbackSocket
        do {
            // The issuer contains the port.
            let keys = try KeyRing()
            socket = try LoopbackSocket.bind([.address(host: "127.0.0.1", port: port)])[0]
            server = AuthorizationServer(options: options, issuer: "http://127.0.0.1:\(socket.address.port ?? port)", keys: keys)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        return HTTPListener.start(
            addresses: [.fileDescriptor(socket.descriptor)], sameUser: false, eventLoop: eventLoop,
            responder: Endpoints(server: server, eventLoop: eventLoop)
        ).map { DemoProvider(issuer: server.issuer, listener: $0) }
    }

    @discardableResult
    public func close() -> EventLoopFuture<Void> { listener.close() }
}
