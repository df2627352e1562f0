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

        public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .notice: 2
            case .info: 3
            case .debug: 4
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
