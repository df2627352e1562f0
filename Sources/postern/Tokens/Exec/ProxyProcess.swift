import Glibc
import PosternClient
import PosternValues
import StrictJSON

/// `postern-mcp proxy`, which sends the command's requests on with the account's authorization, and ends with this process.
final class ProxyProcess {
    struct Route {
        var place: ProxiedAccount
        /// A provider, or an account in the configuration.
        var account: String
        var urls: [String]
        /// The first segment of its paths at the port.
        let secret = ProxyProcess.random(32)
    }

    private let child: ChildProcess
    private let routes: [Route]
    private let directory: String
    /// Nil without a port.
    private let port: Int?
    private let dummy: String

    /// More than a slow machine needs.
    private static let startMilliseconds: Int64 = 20_000
    /// In bytes.
    private static let longestReply = 4096

    /// - Throws: if it does not run; it has said why.
    init(
        routes: [Route], methods: [String], hasPort: Bool, directory: String, daemonSocket: String
    ) throws {
        self.routes = routes
        self.directory = directory
        dummy = "postern-proxy-\(Self.random(24))"
        // Its settings have secrets, which are in no argument and in no variable.
        let program = try BridgeProgram.find()
        var environment: [String: String] = [:]
        for name in Self.passed { environment[name] = ProcessEnvironment.variable(name) }
        child = try ChildProcess(path: program, arguments: ["proxy"], environment: environment)
        let settings: JSONObject = [
            "socket": .string(daemonSocket), "directory": .string(directory), "dummy": .string(dummy), "port": .bool(hasPort),
            "methods": .array(methods.map { .string($0) }),
            "routes": .array(
                routes.map { route in
                    .object([
                        "name": .string(route.place.name), "account": .string(route.account), "secret": .string(route.secret),
                        "urls": .array(route.urls.map { .string($0) }),
                    ])
                }),
        ]
        guard child.write(JSON.object(settings).serialized + [0x0A]), let reply = Self.readLine(child.output),
            let answer = try? JSON(parsing: reply), case .object(let object) = answer
        else {
            child.end()
            throw CommandFailure("the proxy could not be started; the command was not run")
        }
        port = object["port"]?.integerValue.flatMap { Int(exactly: $0) }
        if hasPort, port == nil {
            child.end()
            throw CommandFailure("the proxy has no port; the command was not run")
        }
    }

    /// What OpenSSL and the C library read; nothing of it is a secret.
    private static let passed = [
        "HOME", "LANG", "LC_ALL", "OPENSSL_CONF", "OPENSSL_MODULES", "PATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "XDG_RUNTIME_DIR",
    ]

    func variables(setting texts: [SetVariable]) -> [(name: String, value: String)] {
        let places = routes.map { route in
            ProxiedEnvironment.Address(
                name: route.place.name, url: port.map { "http://127.0.0.1:\($0)/\(route.secret)" } ?? "http://localhost",
                socket: "\(directory)/\(Self.socketName(route.place.name))")
        }
        return ProxiedEnvironment(places: places, dummy: dummy).variables(setting: texts)
    }

    static func socketName(_ name: String) -> String { "\(name).sock" }

    /// Returns once it has ended.
    func end() { child.end() }

    private static func readLine(_ descriptor: Int32) -> [UInt8]? {
        let deadline = Deadline(milliseconds: startMilliseconds)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < longestReply, deadline.wait(for: Int(POLLIN), on: [descriptor])[0] {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == 0x0A { return line }
            line.append(byte)
        }
        return nil
    }

    /// In base64url.
    private static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
