import PosternCore
import TOML

/// Interprets configuration files. It reads no file and fetches no secret: ``ConfigurationLoader`` and ``SecretResolver`` do that.
public struct ConfigurationReader: Sendable {
    /// The file named in an error if a key is missing that no file mentions.
    let mainFile: String
    /// What `~` stands for.
    let home: String?

    /// - Parameter files: from the first to the last; later ones override earlier ones.
    public func read(_ files: [ConfigurationFile]) throws(ConfigurationError) -> Configuration {
        let merged = try merged(files)
        var configuration = try decode(merged.settings, files)
        configuration.leftOut = merged.leftOut
        return configuration
    }

    /// The settings of all files, later ones over earlier ones.
    func merged(_ files: [ConfigurationFile]) throws(ConfigurationError) -> (settings: SettingTable, leftOut: [ConfigurationError]) {
        var own = empty
        for file in files where file.origin != .package { try merge(file, into: &own) }
        let packaged = packaged(files, under: own)
        return (packaged.settings.merging(own), packaged.leftOut)
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

    func decode(_ settings: SettingTable, _ files: [ConfigurationFile]) throws(ConfigurationError) -> Configuration {
        let configuration = try decode(settings)
        // What a package distributes to everybody is not a secret, whatever its key is called.
        try refuseReadableSecrets(in: settings, files: files.filter { $0.origin != .package })
        return configuration
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
                _ = try decode(settings, files)
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

    static let sections = ["callback", "sign-in", "accounts", "second-factor", "store", "daemon", "attention", "provider", "account"]

    private func decode(_ settings: SettingTable) throws(ConfigurationError) -> Configuration {
        try settings.allowOnly(Self.sections)
        var configuration = Configuration()
        if let table = try settings.table("callback") { configuration.callback = try .init(table, paths: paths) }
        if let table = try settings.table("sign-in") { configuration.signIn = try .init(table) }
        if let table = try settings.table("accounts") { configuration.accounts = try .init(table, paths: paths) }
        if let table = try settings.table("second-factor") { configuration.secondFactors = try .init(table, paths: paths) }
        if let table = try settings.table("store") { configuration.store = try .init(table) }
        if let table = try settings.table("daemon") { configuration.daemon = try .init(table) }
        if let table = try settings.table("attention") { configuration.attention = try .init(table) }
        configuration.providers = try providerList.read(settings)
        configuration.namedAccounts = try AccountList(providers: configuration.providers).read(settings)
        return configuration
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
        let readable = files.filter(\.access.isReadableByOthers).reduce(into: [:]) { $0[$1.path] = $1.origin }
        for (path, setting) in settings.leaves where SecretKeys.isSecret(path) {
            guard case .string = setting.content, let origin = readable[setting.position.file], let key = path.last else { continue }
            let fix =
                origin == .administrator
                ? "users must be able to read this file, so put the secret into each user's own file: "
                    + "\(key) = { file = \"~/.config/postern/NAME.secret\" } names one"
                : "chmod 600 \(setting.position.file), or write \(key) = { file = … }"
            throw setting.position.error("the file holds \(SecretKeys.name(of: path)) and can be read by others; \(fix)")
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

    init(_ error: TOMLParseError, in file: String) {
        let position = error.position
        self.init(file: file, line: position.line, message: "column \(position.column): \(error.reason.sentence)")
    }

    /// In the format of compilers, so that editors can jump there.
    public var description: String {
        if let line { "\(file):\(line): \(message)" } else { "\(file): \(message)" }
    }
}
