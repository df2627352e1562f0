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
