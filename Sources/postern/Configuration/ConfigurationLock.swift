import Glibc
import PosternConfiguration

/// Keeps other commands from changing a configuration, with its secrets' files, between the reading and the writing of this one.
///
/// What the daemon or an editor changes in the meantime is noticed by its content.
enum ConfigurationLock {
    /// - Parameter patience: in milliseconds. The other command may wait for the daemon or the keyring.
    static func held<Result>(for mainFile: String, patience: Int64 = 15_000, _ body: () throws -> Result) throws -> Result {
        let directory = ReplacedFile.directory(of: ReplacedFile(mainFile).path)
        try ReplacedFile.makeDirectories(directory)
        let lock: DirectoryLock
        do throws(DirectoryLock.Failure) { lock = try DirectoryLock(directory, patience: patience) } catch {
            switch error {
            case .held:
                throw CommandFailure(
                    "another command has been changing the configuration in \(directory) for \(patience / 1000) s".plain,
                    advice: "let it end, and run this command again")
            case .system(let code): throw CommandFailure("\(directory) cannot be locked: \(String(cString: strerror(code)))".plain)
            }
        }
        defer { lock.release() }
        return try body()
    }
}
