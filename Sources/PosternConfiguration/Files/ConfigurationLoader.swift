import Glibc
import PosternCore

/// Finds and reads the configuration files; ``ConfigurationReader`` interprets them.
public enum ConfigurationLoader {
    static let sizeLimit = 1 << 20
    /// The most files in `config.d`.
    static let fileLimit = 256
    static let parts = "config.d"

    /// Reads the packages' `providers.d`, then the administrator's files, then the user's; see ``files(path:environment:replacing:)``.
    ///
    /// - Parameters:
    ///   - path: the path of `config.toml`; see ``UserDirectories/configurationFile(environment:)``.
    ///   - environment: for the home directory that `~` stands for.
    ///   - replacing: the new contents of files, by their paths; nil for a file to be removed.
    public static func load(
        path: String, environment: [String: String], replacing: [String: [UInt8]?] = [:]
    ) throws(ConfigurationError) -> Configuration {
        try reader(path: path, environment: environment).read(try files(path: path, environment: environment, replacing: replacing))
    }

    /// As the daemon reads it, which remembers the administrator's files for a time when they cannot be used.
    public static func load(
        path: String, environment: [String: String], remembering lastGood: inout LastGoodFiles
    ) throws(ConfigurationError) -> Configuration {
        let files = try files(path: path, environment: environment, lastGood: lastGood)
        lastGood.keep(files)
        return try reader(path: path, environment: environment).read(files)
    }

    /// All mistakes, not only the first; empty if ``load(path:environment:replacing:)`` accepts the configuration.
    public static func mistakes(path: String, environment: [String: String]) -> [ConfigurationError] {
        do throws(ConfigurationError) {
            return reader(path: path, environment: environment).mistakes(in: try files(path: path, environment: environment))
        } catch {
            return [error]
        }
    }

    /// All mistakes in the files for all users of the machine, as whoever ships them wants to know them.
    ///
    /// - Parameter path: a file to be read in place of the administrator's `config.toml`, with the `config.d` beside it, before it is put
    ///   there; nil for what is there.
    /// - Returns: also the files that were read.
    public static func sharedMistakes(
        path: String?, environment: [String: String]
    ) -> (mistakes: [ConfigurationError], files: [String]) {
        let system = SystemDirectories(environment: environment)
        let main = path.map(absolute) ?? "\(system.administrator)/config.toml"
        let parts = "\(FilePath.directory(of: main))/\(Self.parts)"
        var files: [ConfigurationFile] = []
        var mistakes: [ConfigurationError] = []
        for (directory, origin) in [("\(system.packages)/providers.d", ConfigurationFile.Origin.package), (parts, .administrator)] {
            var candidates = origin == .administrator ? [main] : []
            do throws(ConfigurationError) { candidates += try partFiles(in: directory) } catch { mistakes.append(error) }
            for candidate in candidates {
                do throws(BoundedFile.Failure) {
                    var file = try BoundedFile(path: candidate, limit: sizeLimit)
                    if path == nil || origin == .package, file.access.mode & 0o004 == 0 {
                        mistakes.append(
                            ConfigurationError(file: candidate, message: "users cannot read the file; chmod a+r \(candidate)"))
                    }
                    // In its place everybody reads it.
                    file.access.mode |= 0o044
                    files.append(ConfigurationFile(path: candidate, bytes: file.bytes, access: file.access, origin: origin))
                } catch .missing {
                    continue
                } catch {
                    mistakes.append(ConfigurationError(file: candidate, message: "the file \(error.sentence)"))
                }
            }
        }
        if path == nil { mistakes += [system.administrator, parts].compactMap(closedDirectory) }
        return (mistakes + reader(path: main, environment: environment).mistakes(inSharedFiles: files), files.map(\.path))
    }

    /// The mistake of a directory that other users cannot read.
    private static func closedDirectory(_ path: String) -> ConfigurationError? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o005 != 0o005 else { return nil }
        return ConfigurationError(file: path, message: "users cannot read the directory; chmod a+rx \(path)")
    }

    static func reader(path: String, environment: [String: String]) -> ConfigurationReader {
        ConfigurationReader(mainFile: absolute(path), home: UserDirectories.home(environment: environment))
    }

    /// The files in the order in which they are read: in each place the main file, then its parts in the order of their names. A missing
    /// file is fine; one that exists and leads nowhere is not.
    static func files(
        path: String, environment: [String: String], replacing: [String: [UInt8]?] = [:], lastGood: LastGoodFiles? = nil
    ) throws(ConfigurationError) -> [ConfigurationFile] {
        let lastGood = lastGood ?? LastGoodFiles(state: UserDirectories.state(environment: environment), environment: environment)
        let path = absolute(path)
        let system = SystemDirectories(environment: environment)
        var files: [ConfigurationFile] = []
        var candidates: [(String, ConfigurationFile.Origin)] = []
        /// In place of the administrator's parts, if these cannot be found.
        var remembered: [ConfigurationFile] = []
        do throws(ConfigurationError) {
            candidates = try partFiles(in: "\(system.packages)/providers.d").map { ($0, .package) }
        } catch {
            files.append(unreadable(error, .package))
        }
        let administrators = "\(system.administrator)/config.toml"
        if administrators != path {
            candidates.append((administrators, .administrator))
            let parts = "\(system.administrator)/\(Self.parts)"
            do throws(ConfigurationError) {
                candidates += try partFiles(in: parts, advice: forAllUsers).map { ($0, .administrator) }
            } catch {
                remembered = Self.remembered(error, in: parts, lastGood)
            }
        }
        let parts = FilePath.directory(of: path) + "/\(Self.parts)"
        let added = replacing.keys.filter { FilePath.directory(of: $0) == parts && isPart($0.dropFirst(parts.utf8.count + 1)) }
        candidates += ([path] + sorted(Set(try partFiles(in: parts) + added))).map { ($0, .user) }
        // A file that is not read would seem correct whatever it contained.
        for replaced in replacing.keys where !candidates.contains(where: { $0.0 == replaced && $0.1 != .package }) {
            throw ConfigurationError(file: replaced, message: "nothing reads this file; beside \(path), what is read is config.d/NAME.toml")
        }
        for (candidate, origin) in candidates {
            do throws(BoundedFile.Failure) {
                guard let replacement = replacing[candidate] else {
                    let file = try BoundedFile(path: candidate, limit: sizeLimit)
                    files.append(ConfigurationFile(path: candidate, bytes: file.bytes, access: file.access, origin: origin))
                    if origin == .administrator { files[files.count - 1].lastGood = lastGood.bytes(of: candidate) }
                    continue
                }
                guard let replacement else { continue }
                // A file's ownership and permissions stay; a new file is the user's alone.
                let access = try? BoundedFile(path: candidate, limit: sizeLimit).access
                files.append(
                    ConfigurationFile(path: candidate, bytes: replacement, access: access ?? FileAccess(mode: 0o600), origin: origin))
            } catch .missing {
                continue
            } catch {
                let advice = error == .system(EACCES) && origin == .administrator ? Self.forAllUsers : ""
                let fault = ConfigurationError(file: candidate, message: "the file \(error.sentence)\(advice)")
                guard origin != .user else { throw fault }
                var file = unreadable(fault, origin)
                file.isTooLarge = error == .tooLarge(limit: sizeLimit)
                if origin == .administrator { file.lastGood = lastGood.bytes(of: candidate) }
                files.append(file)
            }
        }
        let users = files.firstIndex { $0.origin == .user } ?? files.count
        files.insert(contentsOf: remembered, at: users)
        return files
    }

    /// In place of the administrator's parts, which cannot be listed: what they said before, and the directory with its fault.
    private static func remembered(_ fault: ConfigurationError, in parts: String, _ lastGood: LastGoodFiles) -> [ConfigurationFile] {
        let files = lastGood.paths(in: parts).compactMap { path in
            lastGood.bytes(of: path).map {
                ConfigurationFile(path: path, bytes: $0, access: FileAccess(mode: 0o644), origin: .administrator)
            }
        }
        var directory = unreadable(fault, .administrator)
        directory.isDirectory = true
        directory.isReplaced = !files.isEmpty
        return files + [directory]
    }

    /// For a file or directory of the administrator's that this user may not read. Closing it to protect a secret stops everybody from
    /// using Postern.
    private static let forAllUsers =
        "; users must be able to read it, so put no secret there but into each user's own file"

    /// A file or directory that is not the user's; the others are still read.
    private static func unreadable(_ fault: ConfigurationError, _ origin: ConfigurationFile.Origin) -> ConfigurationFile {
        ConfigurationFile(path: fault.file, bytes: [], access: FileAccess(mode: 0o644), origin: origin, fault: fault)
    }

    /// - Parameter advice: appended to the sentence that the directory may not be read.
    static func partFiles(in directory: String, advice: String = "") throws(ConfigurationError) -> [String] {
        guard let stream = opendir(directory) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR {
                guard let obstacle = PathObstacle.sentence(atDirectory: directory) else { return [] }
                throw ConfigurationError(file: directory, message: "this \(obstacle)")
            }
            let advice = code == EACCES ? advice : ""
            throw ConfigurationError(file: directory, message: "the directory cannot be read: \(SystemError.text(code))\(advice)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { String(cString: $0) }
            }
            guard isPart(name) else { continue }
            names.append(name)
            guard names.count <= fileLimit else {
                throw ConfigurationError(file: directory, message: "more than \(fileLimit) files; put them together")
            }
        }
        return sorted(names.map { "\(directory)/\($0)" })
    }

    /// Hidden files are left over by editors.
    private static func isPart(_ name: some StringProtocol) -> Bool { name.ends(with: ".toml") && !name.begins(with: ".") }

    private static func sorted(_ paths: some Sequence<String>) -> [String] {
        paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The path in a form that programs can be given: they run in other directories.
    public static func absolute(_ path: String) -> String {
        guard !path.begins(with: "/"), let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }
}

/// A configuration file as it was read.
public struct ConfigurationFile: Sendable {
    /// Absolute; paths in the file are relative to its directory.
    public var path: String
    public var bytes: [UInt8]
    public var access: FileAccess
    public var origin = Origin.user
    /// Why it cannot be used.
    var fault: ConfigurationError?
    /// It can be read, but was not.
    var isTooLarge = false
    /// Of the administrator's: what it said when it could last be used.
    var lastGood: [UInt8]?
    /// A directory of files that cannot be read, with its fault.
    var isDirectory = false
    /// The directory's earlier files are among the others.
    var isReplaced = false

    /// Who installed it.
    public enum Origin: String, Sendable {
        /// `/usr/share/postern/providers.d`: what ``PackagedProviders`` permits.
        case package
        /// `/etc/postern`
        case administrator
        case user
    }
}
