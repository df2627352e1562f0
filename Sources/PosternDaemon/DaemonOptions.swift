import Glibc
import PosternConfiguration
import PosternCore

/// The settings from the command line and the environment; the configuration file has the rest.
public struct DaemonOptions: Sendable {
    /// Nil for `$XDG_CONFIG_HOME/postern/config.toml`.
    public var configurationFile: String?
    /// Nil for `$POSTERN_SOCKET`, then `$XDG_RUNTIME_DIR/postern/io.postern`.
    public var socketPath: String?
    /// Empty for the configuration's setting.
    public var listen: [CallbackAddresses.Address] = []
    /// Nil for `$XDG_STATE_HOME/postern`.
    public var stateDirectory: String?
    /// Nil for the configuration's setting.
    public var logLevel: Configuration.LogLevel?
    public var environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Parses an address like `127.0.0.1:7678`, `[::1]:7678` or `:0`; nil if it is not one.
    public static func listenAddress(_ text: String) -> CallbackAddresses.Address? {
        guard let colon = text.unicodeScalars.lastIndex(of: ":"), let port = Int(text.after(colon)), (0...65535).contains(port) else {
            return nil
        }
        var host = text[..<colon]
        if host.begins(with: "["), host.ends(with: "]") { host = Substring(host.utf8.dropFirst().dropLast()) }
        guard !host.isEmpty, host.unicodeScalars.allSatisfy({ $0.properties.isASCIIHexDigit || $0 == "." || $0 == ":" }) else { return nil }
        return CallbackAddresses.Address(host: String(host), port: port)
    }

    // MARK: Paths

    func configurationPath() throws(StartError) -> String {
        if let configurationFile { return configurationFile }
        guard let path = UserDirectories.configurationFile(environment: environment) else {
            throw .noHome(what: "the configuration file", variables: "XDG_CONFIG_HOME or HOME", option: "--config")
        }
        return path
    }

    func socket() throws(StartError) -> String {
        if let socketPath { return socketPath }
        if let path = environment["POSTERN_SOCKET"], !path.isEmpty { return path }
        guard let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty else {
            throw .noHome(what: "the socket", variables: "XDG_RUNTIME_DIR", option: "--socket")
        }
        guard runtime.begins(with: "/") else {
            throw .socket("XDG_RUNTIME_DIR is '\(runtime)', which is not an absolute path; correct it, or give --socket")
        }
        return "\(runtime)/postern/io.postern"
    }

    func state() throws(StartError) -> String {
        if let state = stateDirectory ?? UserDirectories.state(environment: environment) { return state }
        throw .noHome(what: "the state directory", variables: "XDG_STATE_HOME or HOME", option: "--state-directory")
    }
}

/// Why the daemon did not start. For `configuration` it exits with status 78, otherwise with 1.
public enum StartError: Error, Sendable, CustomStringConvertible {
    case configuration(ConfigurationError)
    case noHome(what: String, variables: String, option: String)
    case socket(String)
    case callback(String)
    /// The callback listener cannot work as the configuration requires.
    case callbackUnusable(String)
    case passedSockets(String)
    /// Another daemon uses the state directory.
    case stateInUse(String)

    public var description: String {
        switch self {
        case .configuration(let error): "\(error)"
        case .noHome(let what, let variables, let option): "cannot tell where \(what) is: set \(variables), or give \(option)"
        case .socket(let reason), .callback(let reason), .callbackUnusable(let reason), .passedSockets(let reason), .stateInUse(let reason):
            reason
        }
    }

    /// It has been logged already, whatever the log level: it is an error for a daemon that keeps running, too.
    var isReported: Bool {
        switch self {
        case .configuration, .callbackUnusable, .stateInUse: true
        case .noHome, .socket, .callback, .passedSockets: false
        }
    }

    /// As in sysexits(3) for a configuration that is refused.
    public var exitStatus: Int32 { if case .configuration = self { 78 } else { 1 } }
}
