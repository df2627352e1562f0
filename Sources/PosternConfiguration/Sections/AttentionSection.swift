extension Configuration {
    /// `[attention]`: how the user is notified when only they can help.
    public struct Attention: Sendable, Hashable {
        /// Whether to show a desktop notification.
        public var notifies = true
        /// A program and its arguments, run on each change; nil: none.
        public var command: ConfiguredCommand?
        public var remindEvery = Duration.seconds(86_400)
        /// How long before a credential expires the user is warned.
        public var warnBefore = Duration.seconds(3 * 86_400)

        public init() {}
    }
}

extension Configuration.Attention {
    static let keys = ["notify", "command", "remind-every", "warn-before"]

    init(_ table: SettingTable) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        notifies = try table.boolean("notify") ?? notifies
        // A program that hangs delays the ones after it, and the daemon's exit.
        command = try table.strings("command").map { ConfiguredCommand(arguments: $0, timeout: .seconds(30)) }
        if command?.arguments.isEmpty == true { throw table.error("command", "names no program; leave it out to run none") }
        // More than one a minute would be a nuisance.
        remindEvery = try table.duration("remind-every", in: 60...(30 * 86_400)) ?? remindEvery
        warnBefore = try table.duration("warn-before", in: 0...(90 * 86_400)) ?? warnBefore
    }
}
