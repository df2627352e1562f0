import PosternClient
import PosternConfiguration

/// A command about the files, which needs no daemon.
protocol ConfigurationFileCommand: DaemonCommand {
    var file: ConfigurationFileOption { get }
    func perform(on text: ConfigurationText) throws
}

extension ConfigurationFileCommand {
    func perform() throws {
        do { try perform(on: try file.text(environment)) } catch { throw CommandFailure(editing: error) }
    }

    func path(_ key: String, in text: ConfigurationText) throws -> [String] {
        guard let path = text.path(key) else {
            throw CommandFailure(
                key.isEmpty ? "no key was named" : "\(key) is not a key".plain, status: .wrongUsage,
                advice: "write it as in the file: callback.port, provider.\"github.com\".client-id")
        }
        return path
    }

    func reload(after change: ConfigurationText.Change, of text: ConfigurationText) throws {
        try ConfigurationReload(socketPath: common.socketPath, environment: environment, mainFile: text.mainFile).report(change)
    }
}
