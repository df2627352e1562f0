import Glibc
import PosternConfiguration

/// The environment variables that are used here.
enum ProcessEnvironment {
    /// One variable. Most commands need a few, and ``current`` is a dictionary: for the first one of a program the runtime looks through
    /// all conformances.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static let names = [
        "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY", "HOME", "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "LANG",
        "LC_ALL", "LOGNAME", "NO_COLOR", "PATH", "POSTERN_SOCKET", "POSTERN_SYSTEM_ROOT", "SSH_CONNECTION", "SSH_TTY", "TERM", "TMPDIR",
        "USER", "WAYLAND_DISPLAY",
        "WSL_DISTRO_NAME", "WSL_INTEROP", "XAUTHORITY", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS",
        "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_STATE_HOME", "container",
    ]

    /// A variable, if it is an absolute path.
    static func path(_ name: String, _ variable: (String) -> String? = variable) -> String? {
        variable(name).flatMap { $0.begins(with: "/") ? $0 : nil }
    }

    /// A directory of the XDG Base Directory Specification; nil without a home directory.
    static func directory(_ name: String, orHome usual: String, _ variable: (String) -> String? = variable) -> String? {
        path(name, variable) ?? path("HOME", variable).map { "\($0)/\(usual)" }
    }

    /// All variables, as this program got them, for a browser: a window system, a language or a profile may be chosen by any of them.
    static func withForBrowsers<Result>(_ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        var kept: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            let name = String(decoding: UnsafeRawBufferPointer(start: variable, count: strcspn(variable, "=")), as: UTF8.self)
            if !ServiceVariables.notForOthers.contains(name) { kept.append(variable) }
            next += 1
        }
        return body(kept + [nil])
    }

    /// As they were when the program started.
    static let current: [String: String] = {
        var variables: [String: String] = [:]
        for name in names {
            if let value = variable(name) { variables[name] = value }
        }
        return variables
    }()
}

extension [String: String] {
    func path(_ name: String) -> String? { ProcessEnvironment.path(name) { self[$0] } }
    func directory(_ name: String, orHome usual: String) -> String? { ProcessEnvironment.directory(name, orHome: usual) { self[$0] } }
}
