import PosternConfiguration

/// The directory of the configuration and its files, for the user to copy.
enum ConfigurationPlace {
    /// A form that both the shell and the configuration understand.
    static let usual = "~/.config/postern"

    static func shown(in environment: [String: String]) -> String {
        environment.path("XDG_CONFIG_HOME").map { short($0 + "/postern", environment) } ?? usual
    }

    /// With `~`, if it is below the home directory.
    static func short(_ path: String, _ environment: [String: String]) -> String {
        guard let home = UserDirectories.home(environment: environment), home != "/", let rest = path.rest(after: home),
            rest.begins(with: "/")
        else {
            return path
        }
        return "~" + rest
    }
}
