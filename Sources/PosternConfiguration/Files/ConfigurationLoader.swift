import Glibc
import PosternCore

/// Finds and reads the configuration files; ``ConfigurationReader`` says what they mean.
public enum ConfigurationLoader {
    static let sizeLimit = 1 << 20
    /// Files in `config.d`.
    static let fileLimit = 256

    /// Reads the file and then `config.d/*.toml` beside it in the order of their names. What is missing is fine.
    ///
    /// - Parameters:
    ///   - path: of `config.toml`; see ``UserDirectories/configurationFile(environment:)``.
    ///   - environment: for the home directory that `~` stands for.
    public static func load(path: String, environment: [String: String]) throws(ConfigurationError) -> Configuration {
        let path = absolute(path)
        var files: [ConfigurationFile] = []
        for candidate in [path] + (try partFiles(beside: path)) {
            do throws(BoundedFile.Failure) {
                let file = try BoundedFile(path: candidate, limit: sizeLimit)
                files.append(ConfigurationFile(path: candidate, bytes: file.bytes, access: file.access))
            } catch .missing {
                continue
            } catch {
                throw ConfigurationError(file: candidate, message: "the file \(error.sentence)")
            }
        }
        return try ConfigurationReader(mainFile: path, home: UserDirectories.home(environment: environment)).read(files)
    }

    private static func partFiles(beside path: String) throws(ConfigurationError) -> [String] {
        let directory = FilePath.directory(of: path) + "/config.d"
        guard let stream = opendir(directory) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return [] }
            throw ConfigurationError(file: directory, message: "the directory cannot be read: \(SystemError.text(code))")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { String(cString: $0) }
            }
            // Hidden files are editors' leftovers.
            guard name.hasSuffix(".toml"), !name.hasPrefix(".") else { continue }
            names.append(name)
            guard names.count <= fileLimit else {
                throw ConfigurationError(file: directory, message: "more than \(fileLimit) files; put them together")
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(directory)/\($0)" }
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }
}

/// A configuration file as it was found.
public struct ConfigurationFile: Sendable {
    /// Absolute; paths within are relative to its directory.
    public var path: String
    public var bytes: [UInt8]
    public var access: FileAccess

    public init(path: String, bytes: [UInt8], access: FileAccess) {
        self.path = path
        self.bytes = bytes
        self.access = access
    }
}
