import PosternCore
import TOML

/// Interprets configuration files. It reads no file and fetches no secret: ``ConfigurationLoader`` and ``SecretResolver`` do that.
public struct ConfigurationReader: Sendable {
    /// The file named in an error if a key is missing that no file mentions.
    let mainFile: String
    /// What `~` stands for.
    let home: String?

    /// - Parameter files: from the first to the last; later ones override earlier ones.
    public func read(_ files: [ConfigurationFile]) throws(ConfigurationError) -> Configuration { try understood(files).configuration }

    /// Also the settings in force: of all files, later ones over earlier ones, without what is left out.
    func understood(_ files: [ConfigurationFile]) throws(ConfigurationError) -> (configuration: Configuration, settings: SettingTable) {
        var layers = try layers(files)
        var configuration = try decode(&layers)
        try refuseReadableSecrets(in: layers.settings, files: files.filter { $0.origin == .user })
        configuration.leftOut = layers.leftOut
        return (configuration, layers.settings)
    }

    private func layers(_ files: [ConfigurationFile]) throws(ConfigurationError) -> SettingLayers {
        var (administrators, user) = (empty, empty)
        var lost: [(file: ConfigurationFile, fault: ConfigurationError)] = []
        var kept: [ConfigurationError] = []
        for file in files where file.origin == .administrator {
            do throws(ConfigurationError) { try merge(file, into: &administrators) } catch {
                if let earlier = file.lastGood, let table = try? TOMLTable(parsing: earlier) {
                    administrators.merge(table, file: file.path)
                    kept.append(error.adding("what the file said before stays in force until this is fixed"))
                } else if !file.isReplaced {
                    lost.append((file, error.adding("the file is not used until this is fixed")))
                } else {
                    kept.append(error.adding("the files that were there before stay in force until this is fixed"))
                }
            }
        }
        for file in files where file.origin == .user { try merge(file, into: &user) }
        let own = administrators.merging(user)
        let packaged = packaged(files, under: own)
        var layers = SettingLayers(
            shared: packaged.settings.merging(administrators), user: user,
            files: Set(files.filter { $0.origin != .user }.map(\.path)), leftOut: packaged.leftOut + kept,
            readableSecrets: Dictionary(
                // What a package distributes to everybody is not a secret, whatever its key is called.
                readableSecrets(in: own, files: files.filter { $0.origin == .administrator }).map { ($0.section, $0.error) },
                uniquingKeysWith: { first, _ in first }))
        for (file, fault) in lost { layers.loseFile(file, fault) }
        return layers
    }

    private var empty: SettingTable { SettingTable(path: [], position: SourcePosition(file: mainFile, line: 1)) }

    /// - Parameter own: the settings of the administrator and the user, which decide what is permitted.
    private func packaged(_ files: [ConfigurationFile], under own: SettingTable) -> PackagedProviders {
        var packaged = PackagedProviders(list: providerList, own: own)
        for file in files where file.origin == .package {
            var table = empty
            do throws(ConfigurationError) {
                try merge(file, into: &table)
                packaged.add(table)
            } catch {
                packaged.leaveOut(error)
            }
        }
        return packaged
    }

    static func table(of file: ConfigurationFile) throws(ConfigurationError) -> TOMLTable {
        do throws(TOMLParseError) { return try TOMLTable(parsing: file.bytes) } catch { throw ConfigurationError(error, in: file.path) }
    }

    /// Every mistake counts, whoever made it.
    private func decodeStrictly(_ settings: SettingTable, _ files: [ConfigurationFile]) throws(ConfigurationError) {
        var layers = SettingLayers(strictly: settings)
        _ = try decode(&layers)
        try refuseReadableSecrets(in: settings, files: files.filter { $0.origin != .package })
    }

    private func merge(_ file: ConfigurationFile, into settings: inout SettingTable) throws(ConfigurationError) {
        if let fault = file.fault { throw fault }
        try refuseWritable(file)
        settings.merge(try Self.table(of: file), file: file.path)
    }

    /// The most that are reported; further ones are seen once these are fixed.
    static let mostMistakes = 100

    /// All mistakes: each setting that is refused is left out, and the rest is read again.
    ///
    /// A file that cannot be parsed counts as one mistake. What is then missing in a section is not another one.
    public func mistakes(in files: [ConfigurationFile]) -> [ConfigurationError] {
        var mistakes: [ConfigurationError] = []
        var settings = empty
        for file in files where file.origin != .package {
            do throws(ConfigurationError) { try merge(file, into: &settings) } catch { mistakes.append(error) }
        }
        settings = packaged(files, under: settings).settings.merging(settings)
        var leftOut: [[String]] = []
        while mistakes.count < Self.mostMistakes {
            do throws(ConfigurationError) {
                try decodeStrictly(settings, files)
                return mistakes
            } catch {
                let path = error.line.flatMap { settings.path(at: SourcePosition(file: error.file, line: $0)) }
                let follows = path.map { path in leftOut.contains { $0.count > path.count && $0.starts(with: path) } } ?? false
                if !follows, !mistakes.contains(error) { mistakes.append(error) }
                guard let path else { return mistakes }
                settings.remove(path[...])
                leftOut.append(path)
            }
        }
        return mistakes
    }

    /// All mistakes in the files of the administrator and of packages, which a start only leaves out.
    func mistakes(inSharedFiles files: [ConfigurationFile]) -> [ConfigurationError] {
        var own = empty
        for file in files where file.origin == .administrator { try? merge(file, into: &own) }
        return mistakes(in: files) + packaged(files, under: own).leftOut
    }

    static let sections = [
        "callback", "sign-in", "accounts", "second-factor", "store", "daemon", "attention", "registration", "provider", "mcp", "account",
    ]

    private func decode(_ layers: inout SettingLayers) throws(ConfigurationError) -> Configuration {
        try layers.allowOnly(Self.sections)
        let paths = paths
        var read = Configuration()
        read.callback =
            try layers.section("callback") { table throws(ConfigurationError) in try .init(table, paths: paths) } ?? read.callback
        read.signIn = try layers.section("sign-in") { table throws(ConfigurationError) in try .init(table) } ?? read.signIn
        read.accounts =
            try layers.section("accounts") { table throws(ConfigurationError) in try .init(table, paths: paths) } ?? read.accounts
        read.secondFactors =
            try layers.section("second-factor") { table throws(ConfigurationError) in try .init(table, paths: paths) } ?? read.secondFactors
        read.store = try layers.section("store") { table throws(ConfigurationError) in try .init(table) } ?? read.store
        read.daemon = try layers.section("daemon") { table throws(ConfigurationError) in try .init(table) } ?? read.daemon
        read.attention = try layers.section("attention") { table throws(ConfigurationError) in try .init(table) } ?? read.attention
        read.registration =
            try layers.section("registration") { table throws(ConfigurationError) in try .init(table) } ?? read.registration
        read.providers = try providerList.read(&layers)
        try MCPList(paths: paths).read(&layers, into: &read.providers)
        try AccountList(providers: read.providers).read(&layers, into: &read)
        // What the user decides is not the administrator's to say.
        if let doubt = layers.doubts["store"], layers.user.inner("store")?["key"] == nil { read.store.doubt = "\(doubt)" }
        if let doubt = layers.doubts["accounts"], layers.user.inner("accounts")?["authority"] == nil {
            read.accounts.suspend(because: "\(doubt)")
        }
        return read
    }

    private var paths: PathRules { PathRules(home: home) }
    private var providerList: ProviderList { ProviderList(paths: paths, mainFile: mainFile) }

    private func refuseWritable(_ file: ConfigurationFile) throws(ConfigurationError) {
        guard file.access.isWritableByOthers else { return }
        let fix = file.access.ownerIsTrusted ? "chmod go-w \(file.path)" : "it must belong to you or to root: chown \"$USER\" \(file.path)"
        throw ConfigurationError(file: file.path, message: "the file can be changed by others; \(fix)")
    }

    /// A secret in a file is only as secret as the file.
    private func refuseReadableSecrets(in settings: SettingTable, files: [ConfigurationFile]) throws(ConfigurationError) {
        if let first = readableSecrets(in: settings, files: files).first { throw first.error }
    }

    /// - Returns: the mistakes, with the section that each is in.
    private func readableSecrets(
        in settings: SettingTable, files: [ConfigurationFile]
    ) -> [(section: [String], error: ConfigurationError)] {
        let readable = files.filter(\.access.isReadableByOthers).reduce(into: [:]) { $0[$1.path] = $1.origin }
        return settings.leaves.compactMap { path, setting in
            guard SecretKeys.isSecret(path), case .string = setting.content, let origin = readable[setting.position.file],
                let key = path.last
            else { return nil }
            let fix =
                origin == .administrator
                ? "users must be able to read this file, so put the secret into each user's own file: "
                    + "\(key) = { file = \"~/.config/postern/NAME.secret\" } names one"
                : "chmod 600 \(setting.position.file), or write \(key) = { file = … }"
            let error = setting.position.error("the file holds \(SecretKeys.name(of: path)) and can be read by others; \(fix)")
            return (Array(path.prefix(["provider", "mcp"].contains(path.first) ? 2 : 1)), error)
        }
    }
}

/// How paths in the files are read.
struct PathRules: Sendable {
    var home: String?

    func path(_ key: String, in table: SettingTable) throws(ConfigurationError) -> String? {
        guard let text = try table.string(key), let position = table[key]?.position else { return nil }
        guard let path = FilePath.expanded(text, home: home, relativeTo: FilePath.directory(of: position.file)) else {
            throw table.error(key, "begins with a ~ that cannot be expanded; give the full path")
        }
        return path
    }
}

/// Why a configuration is refused: which file, where in it, and what to change.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1; nil for the file as a whole.
    public var line: Int?
    /// A sentence that is safe to show and to log: it names keys, never the values of secrets.
    public var message: String
    /// The message names a key that does not exist.
    var isUnknownKey = false

    public init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// What follows from it, for this user.
    func adding(_ consequence: String) -> ConfigurationError {
        var error = self
        error.message += "; \(consequence)"
        return error
    }

    init(_ error: TOMLParseError, in file: String) {
        let position = error.position
        self.init(file: file, line: position.line, message: "column \(position.column): \(error.reason.sentence)")
    }

    /// In the format of compilers, so that editors can jump there.
    public var description: String {
        if let line { "\(file):\(line): \(message)" } else { "\(file): \(message)" }
    }
}
