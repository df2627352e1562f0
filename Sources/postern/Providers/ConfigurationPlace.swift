/// Where the configuration and the files beside it belong, for a person to copy.
enum ConfigurationPlace {
    /// As a shell and the configuration both read it.
    static let usual = "~/.config/postern"

    static func shown(in environment: [String: String]) -> String {
        guard let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") else { return usual }
        guard let home = environment["HOME"], home.hasPrefix("/"), config.hasPrefix(home + "/") else { return config + "/postern" }
        return "~" + config.dropFirst(home.utf8.count) + "/postern"
    }
}
