import PosternCore

extension Configuration {
    /// `[second-factor]`
    public struct SecondFactors: Sendable, Equatable {
        /// `[second-factor.totp] issuer`: the name that authenticator apps show for us.
        public var issuer = "Postern"
        /// `[second-factor.phone]`; nil if no codes can be sent to phones.
        public var phone: Phone?

        public init() {}
    }

    /// How codes are sent to phones.
    public enum Phone: Sendable, Equatable {
        /// It gets each message on its standard input.
        case command(ConfiguredCommand)
        /// Receives each message by POST.
        case gateway(EndpointURL, token: SecretSource?, caFile: String?)
    }
}

extension Configuration.SecondFactors {
    static let keys = ["issuer"]

    init(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        try table.allowOnly(["totp", "phone"])
        if let totp = try table.table("totp") {
            try totp.allowOnly(Self.keys)
            issuer = try totp.string("issuer") ?? issuer
            // A colon separates the issuer from the account in what authenticator apps read.
            if issuer.unicodeScalars.contains(":") { throw totp.error("issuer", "must not hold a colon") }
            if issuer.utf8.count > 64 { throw totp.error("issuer", "is longer than 64 bytes") }
        }
        phone = try table.table("phone").map { table throws(ConfigurationError) in try Configuration.Phone(table, paths: paths) }
    }
}

extension Configuration.Phone {
    static let keys = ["command", "timeout", "gateway", "gateway-token", "ca-file"]

    init(_ table: SettingTable, paths: PathRules) throws(ConfigurationError) {
        try table.allowOnly(Self.keys)
        switch (try table.strings("command"), try table.url("gateway")) {
        case (let command?, nil):
            guard !command.isEmpty else { throw table.error("command", "names no program") }
            try Self.refuse(["gateway-token", "ca-file"], in: table, without: "gateway")
            self = .command(ConfiguredCommand(arguments: command, timeout: try table.duration("timeout", in: 1...60) ?? .seconds(20)))
        case (nil, let url?):
            try Self.refuse(["timeout"], in: table, without: "command")
            self = .gateway(
                url, token: try SecretSource("gateway-token", in: table, paths: paths), caFile: try paths.path("ca-file", in: table))
        case (nil, nil):
            throw table.position.error("\(table.name) needs either command or gateway")
        case (_?, _?):
            throw table.error("gateway", "conflicts with command: leave one of them out")
        }
    }

    private static func refuse(_ keys: [String], in table: SettingTable, without other: String) throws(ConfigurationError) {
        if let key = keys.first(where: { table[$0] != nil }) { throw table.error(key, "has no effect without \(other)") }
    }
}
