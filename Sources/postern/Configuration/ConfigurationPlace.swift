import PosternClient

/// The directory of the configuration and its files, for the user to copy.
enum ConfigurationPlace {
    /// A form that both the shell and the configuration understand.
    static let usual = "~/.config/postern"

    static func shown(in environment: [String: String]) -> String {
        guard let config = environment["XDG_CONFIG_HOME"], config.begins(with: "/") else { return usual }
        guard let home = environment["HOME"], home.begins(with: "/"), let rest = config.rest(after: home), rest.begins(with: "/") else {
            return config + "/postern"
        }
        return "~" + rest + "/postern"
    }
}
