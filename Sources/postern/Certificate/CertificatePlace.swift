import Glibc

/// Where the files of the https callbacks are; the names are posternd's.
struct CertificatePlace: Equatable {
    let directory: String

    init(directory: String) { self.directory = directory }

    /// - Parameter directory: as it was given; else that of the configuration.
    init(directory: String?, environment: [String: String]) throws {
        if let directory {
            self.directory = directory.hasPrefix("/") ? directory : Self.workingDirectory + "/" + directory
        } else if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") {
            self.directory = config + "/postern"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            self.directory = home + "/.config/postern"
        } else {
            throw CommandFailure("it is not known where the configuration belongs: HOME is not set", advice: "give --directory")
        }
    }

    var authority: String { directory + "/loopback-authority.crt" }
    var certificate: String { directory + "/loopback.crt" }
    var key: String { directory + "/loopback.key" }

    var isComplete: Bool { [authority, certificate, key].allSatisfy { (path: String) in access(path, F_OK) == 0 } }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
