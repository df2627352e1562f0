import NIOCore
import PosternConfiguration
import PosternCore
import PosternSystemd

/// The settings for where to listen that have no effect because the service manager passed sockets with other addresses.
///
/// A setting with its default value, or one that matches the sockets, is not worth a message.
enum IgnoredAddresses {
    /// - Parameters:
    ///   - bound: where the callback listener is.
    ///   - all: these, and the one for `localhost`.
    /// - Returns: nil if nothing is ignored.
    static func sentence(
        options: DaemonOptions, callback: Configuration.Callback, passed: [PassedSocket], bound: [SocketAddress], all: [SocketAddress]
    ) -> String? {
        var names: [String] = []
        if passed.contains(where: { $0.role == .callback }) {
            names +=
                options.listen.isEmpty
                ? settings(callback, bound, all) : differs(options.listen, bound) && differs(options.listen, all) ? ["--listen"] : []
        }
        if let path = options.socketPath, let socket = passed.first(where: { $0.role == .varlink }), socket.path != path {
            names.append("--socket")
        }
        guard let last = names.popLast() else { return nil }
        let list = names.isEmpty ? "\(last) is" : "\(names.joined(separator: ", ")) and \(last) are"
        return "\(list) ignored: the service manager passed the sockets, so the socket units decide"
    }

    private static func settings(_ callback: Configuration.Callback, _ bound: [SocketAddress], _ all: [SocketAddress]) -> [String] {
        let standard = Configuration.Callback()
        var names: [String] = []
        let wanted = addresses(callback.addresses)
        if callback.addresses != standard.addresses, ![bound, all].contains(where: { addresses($0.compactMap(\.ipAddress)) == wanted }) {
            names.append("callback.addresses")
        }
        if callback.port != standard.port, bound.contains(where: { $0.port != callback.port }) { names.append("callback.port") }
        return names
    }

    private static func differs(_ listen: [CallbackAddresses.Address], _ bound: [SocketAddress]) -> Bool {
        Set(listen.map { try? SocketAddress(ipAddress: $0.host, port: $0.port) }) != Set(bound)
    }

    /// Parsed, because an address can be written in several ways.
    private static func addresses(_ texts: [String]) -> Set<SocketAddress?> {
        Set(texts.map { try? SocketAddress(ipAddress: $0, port: 0) })
    }
}
