import StrictJSON
import Varlink

/// Which methods exist, and what is answered without calling the service.
final class ServiceTable: Sendable {
    enum Route {
        case service
        case reply(JSONObject)
        case error(VarlinkError)
    }

    private let info: VarlinkServiceInfo
    private let descriptions: [(name: String, text: String)]
    /// Full names of the methods that the service implements.
    private let methods: Set<String>

    /// - Throws: if a description cannot be parsed or is not that of its interface.
    init(info: VarlinkServiceInfo, interfaces: [VarlinkInterface]) throws(VarlinkListenerError) {
        self.info = info
        var methods: Set<String> = []
        for interface in interfaces {
            let names = if let known = interface.methods { known } else { try Self.methods(describedBy: interface) }
            for name in names { methods.insert("\(interface.name).\(name)") }
        }
        self.methods = methods
        descriptions = [(ServiceInterface.name, ServiceInterface.description)] + interfaces.map { ($0.name, $0.description) }
    }

    private static func methods(describedBy interface: VarlinkInterface) throws(VarlinkListenerError) -> [String] {
        let description: InterfaceDescription
        do throws(InterfaceDescriptionError) { description = try InterfaceDescription(parsing: interface.description) } catch {
            throw .invalidDescription(interface: interface.name, reason: error.description)
        }
        guard description.name == interface.name else {
            throw .invalidDescription(interface: interface.name, reason: "it describes \(description.name)")
        }
        return description.methods.map(\.name)
    }

    func route(_ call: VarlinkCall) -> Route {
        if methods.contains(call.method) { return .service }
        switch call.method {
        case ServiceInterface.getInfo: return getInfo(call)
        case ServiceInterface.getInterfaceDescription: return getInterfaceDescription(call)
        default:
            let interface = call.interface
            guard descriptions.contains(where: { $0.name == interface }) else {
                return .error(.interfaceNotFound(String(interface)))
            }
            return .error(.methodNotFound(call.method))
        }
    }

    private func getInfo(_ call: VarlinkCall) -> Route {
        if let unknown = call.parameters.members.first { return .error(.invalidParameter(unknown.key)) }
        return .reply([
            "vendor": .string(info.vendor),
            "product": .string(info.product),
            "version": .string(info.version),
            "url": .string(info.url),
            "interfaces": .array(descriptions.map { .string($0.name) }),
        ])
    }

    private func getInterfaceDescription(_ call: VarlinkCall) -> Route {
        do throws(JSONMemberError) {
            try call.parameters.allowOnly(["interface"])
            let name = try call.parameters.required("interface", as: String.self)
            guard let found = descriptions.first(where: { $0.name == name }) else { return .error(.interfaceNotFound(name)) }
            return .reply(["description": .string(found.text)])
        } catch { return .error(.invalidParameter(error)) }
    }
}

/// What a listener serves. Every method is called on the listener's loop.
public protocol VarlinkService: AnyObject, Sendable {
    /// The interfaces with their descriptions, except `org.varlink.service`. Read once, when the listener starts.
    var interfaces: [VarlinkInterface] { get }

    /// A call of a method that one of the interfaces defines.
    ///
    /// Ends with exactly one final reply or error through `reply`, now or later. The next call of the same connection follows only after
    /// that: pipelined calls are handled in order. The peer of a call without a reply may have disconnected already.
    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle)

    func connectionOpened(_ peer: VarlinkPeer)

    /// The peer has disconnected; its unanswered call, if any, has been cancelled, and none of its calls will follow.
    func connectionClosed(_ peer: VarlinkPeer)

    /// New connections cannot be accepted, or only by closing others. Reported at most once an hour.
    func acceptFailed(_ error: VarlinkAcceptError)

    /// The connection is closed because too many replies wait for the peer to read them. Reported at most once an hour for all peers.
    func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies)
}

/// Replies that clients have not read when one of them is cut off.
public struct VarlinkUnreadReplies: Sendable, Hashable {
    /// Of the client that is cut off.
    public var bytes: Int
    /// Of all clients, including the read part of replies that they have not read to the end.
    public var inAll: Int

    public init(bytes: Int, inAll: Int) {
        self.bytes = bytes
        self.inAll = inAll
    }
}

extension VarlinkService {
    public func connectionOpened(_ peer: VarlinkPeer) {}
    public func connectionClosed(_ peer: VarlinkPeer) {}
    public func acceptFailed(_ error: VarlinkAcceptError) {}
    public func clientCutOff(_ peer: VarlinkPeer, _ unread: VarlinkUnreadReplies) {}
}
