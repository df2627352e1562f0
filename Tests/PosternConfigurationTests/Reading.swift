@testable import PosternConfiguration
import PosternCore

/// Reads texts as if they were files of the user's, private as they should be.
enum Reading {
    static let directory = "/home/ada/.config/postern"

    static func read(_ texts: String..., mode: UInt32 = 0o600) throws(ConfigurationError) -> Configuration {
        try read(texts.enumerated().map { index, text in file(index == 0 ? "config.toml" : "config.d/\(index).toml", text, mode: mode) })
    }

    static func read(_ files: [ConfigurationFile]) throws(ConfigurationError) -> Configuration {
        try ConfigurationReader(mainFile: "\(directory)/config.toml", home: "/home/ada").read(files)
    }

    static func file(_ name: String, _ text: String, mode: UInt32 = 0o600, ownerIsTrusted: Bool = true) -> ConfigurationFile {
        ConfigurationFile(
            path: "\(directory)/\(name)", bytes: Array(text.utf8), access: FileAccess(ownerIsTrusted: ownerIsTrusted, mode: mode))
    }

    /// The error, or nil if there is none.
    static func refusal(_ texts: String..., mode: UInt32 = 0o600) -> ConfigurationError? {
        do throws(ConfigurationError) {
            _ = try read(
                texts.enumerated().map { index, text in file(index == 0 ? "config.toml" : "config.d/\(index).toml", text, mode: mode) })
            return nil
        } catch {
            return error
        }
    }
}
