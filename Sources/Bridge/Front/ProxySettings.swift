import BridgeCore
import PosternValues
import StrictJSON

/// What `postern exec --proxy` writes to `postern-mcp proxy`, as a line of JSON: it has secrets, which are in no argument.
struct ProxySettings {
    struct Route {
        /// The socket's name without `.sock`.
        var name: String
        var account: String
        var urls: [String]
        /// The first segment of its paths at the port.
        var secret: Secret
    }

    /// The daemon's.
    var socket: String
    /// Private; the sockets are made in it.
    var directory: String
    var hasPort: Bool
    var methods: [String]
    var dummy: String
    var routes: [Route]

    /// In bytes.
    static let longest = 1 << 20

    init(_ line: [UInt8]) throws(ProxyServiceError) {
        do {
            guard case .object(let object) = try JSON(parsing: line) else { throw ProxyServiceError.settings("no object") }
            socket = try object.required("socket")
            directory = try object.required("directory")
            hasPort = try object.required("port")
            methods = try object.required("methods")
            dummy = try object.required("dummy")
            routes = try object.required("routes", as: [JSONObject].self).map { route in
                Route(
                    name: try route.required("name"), account: try route.required("account"), urls: try route.required("urls"),
                    secret: try route.required("secret"))
            }
        } catch { throw .settings("\(error)") }
        // A route without a secret would be open at the port.
        guard !routes.isEmpty, routes.allSatisfy({ Base64URL.decode($0.secret.reveal())?.count == 32 }), !dummy.isEmpty else {
            throw .settings("a secret is missing")
        }
    }
}

/// Why the proxy cannot serve.
public enum ProxyServiceError: Error, CustomStringConvertible {
    case settings(String)
    /// An URL that no token can be for.
    case url(String)
    case listening(String)

    public var description: String {
        switch self {
        case .settings(let reason): "the proxy's settings are not understood (\(reason)); postern exec --proxy writes them"
        case .url(let reason): "a URL of the account \(reason)"
        case .listening(let reason): reason
        }
    }
}
