import PosternConfiguration

/// A callback port in the configuration on which nobody listens, since systemd passes the daemon its sockets.
struct IgnoredPort: Equatable {
    /// 0: any that is free.
    var configured: Int
    var used: Int
}

extension IgnoredPort {
    /// - Parameters:
    ///   - configured: from the files; nil if they do not say.
    ///   - callbackURLs: where the daemon listens. A daemon started by hand listens where the configuration says.
    ///   - socket: systemd's socket for callbacks, queried only if necessary; nil if systemd cannot be reached.
    init?(configured: Int?, callbackURLs: [String], socket: () -> UnitsCheck.Unit?) {
        let ports = callbackURLs.compactMap { WebAddress($0)?.port }
        guard let configured, !ports.isEmpty, !ports.contains(configured), let unit = socket(), unit.active == "active",
            let used = unit.ports.first(where: ports.contains)
        else { return nil }
        self.init(configured: configured, used: used)
    }

    /// From the files that the daemon reads.
    ///
    /// - Parameter file: nil for the usual one.
    static func configured(in file: String?, environment: [String: String]) -> Int? {
        guard let path = file ?? UserDirectories.configurationFile(environment: environment),
            let text = try? ConfigurationText(path: path, environment: environment),
            let entry = try? text.entries(at: ["callback", "port"]).first
        else { return nil }
        return Int(entry.value)
    }

    var sentence: String {
        "callback.port (\(configured)) is ignored: systemd has the sockets, and their units say to listen at port \(used)"
    }

    var fix: String {
        let port = configured == 0 ? "PORT" : "\(configured)"
        return "\(CallbackUnits.edit): under [Socket] an empty ListenStream=, then ListenStream=127.0.0.1:\(port) (in the other one "
            + "[::1]:\(port)); then \(CallbackUnits.steps.joined(separator: "; ")). To stay at port \(used): postern config unset callback.port"
    }
}

/// How to give systemd's sockets for callbacks another address.
enum CallbackUnits {
    static let edit = "systemctl --user edit postern-callback.socket postern-callback-ipv6.socket"
    /// Needed afterwards: a socket cannot be restarted while its service runs.
    static let steps = [
        "systemctl --user stop postern.service", "systemctl --user restart postern-callback.socket postern-callback-ipv6.socket",
    ]
}
