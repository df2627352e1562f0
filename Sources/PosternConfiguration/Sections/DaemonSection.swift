extension Configuration {
    /// `[daemon]`
    public struct Daemon: Sendable, Hashable {
        /// How long a socket-activated daemon stays idle before it exits; nil: forever.
        public var idleExit: Duration? = .seconds(300)
        public var logLevel = LogLevel.info

        public init() {}
    }

    /// From the least to the most verbose.
    public enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case error, warning, notice, info, debug

        public static func < (left: LogLevel, right: LogLevel) -> Bool { left.priority < right.priority }

        /// As in syslog(3).
        public var priority: Int {
            switch self {
            case .error: 3
            case .warning: 4
            case .notice: 5
            case .info: 6
            case .debug: 7
            }
        }
    }
}

extension Configuration.Daemon {
    static let keys = ["idle-exit", "log-level"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        if try table.string("idle-exit") == "never" {
            idleExit = nil
        } else {
            idleExit = try table.duration("idle-exit", in: 1...(7 * 86_400)) ?? idleExit
        }
        logLevel = try table.word("log-level") ?? logLevel
    }
}
