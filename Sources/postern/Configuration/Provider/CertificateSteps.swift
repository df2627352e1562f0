import Glibc
import TOML

/// How the user installs the certificate, and how to undo it, as commands to copy.
struct CertificateSteps {
    let files: CertificatePlace
    /// How the daemon is started again.
    let restart: String

    private var name: String { "'Postern loopback'" }
    private var authority: String { ShellWord.quoted(files.authority) }
    private static let database = "sql:$HOME/.pki/nssdb"
    private static let system = "/usr/local/share/ca-certificates/postern-loopback.crt"

    var lines: [String] {
        [
            "1. Make the daemon use it. In the configuration:", "",
            "     [callback]",
            "     certificate = \(TOMLText.quoted(files.certificate))",
            "     key = \(TOMLText.quoted(files.key))", "",
            "   then: \(restart)", "",
            "2. Make your browser trust \(files.authority):", "",
            "   Chromium, Chrome, Edge, Brave (certutil is in the package libnss3-tools; close the browser first):",
            "     mkdir -p ~/.pki/nssdb",
            "     certutil -d \(Self.database) -L >/dev/null 2>&1 || certutil -d \(Self.database) -N --empty-password",
            "     certutil -d \(Self.database) -A -t C,, -n \(name) -i \(authority)", "",
            "   Firefox: Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import; tick \"identify websites\".",
            "   Or, with PROFILE the directory that about:profiles names:",
            "     certutil -d sql:PROFILE -A -t C,, -n \(name) -i \(authority)", "",
            "   The whole system (curl, most programs; not the browsers above):",
            "     sudo install -m 644 \(authority) \(Self.system) && sudo update-ca-certificates", "",
            "3. Register the https address at each provider: postern provider show PROVIDER", "",
            "To undo all of it:", "",
            "     certutil -d \(Self.database) -D -n \(name)",
            "     certutil -d sql:PROFILE -D -n \(name)",
            "     sudo rm \(Self.system) && sudo update-ca-certificates --fresh",
            "     rm \([files.authority, files.certificate, files.key].map(ShellWord.quoted).joined(separator: " "))",
            "   and take the two lines out of [callback] again.",
        ]
    }
}

/// The place of the files for https callbacks; posternd defines their names.
struct CertificatePlace: Equatable {
    let directory: String

    init(directory: String) { self.directory = directory }

    /// - Parameter directory: as given; nil for that of the configuration.
    init(directory: String?, environment: [String: String]) throws {
        if let directory {
            guard !directory.isEmpty else {
                throw CommandFailure("--directory needs a path", status: .wrongUsage, advice: "leave it out, or give a path")
            }
            self.directory = Self.normal(TextFile.absolute(directory))
        } else if let config = environment.directory("XDG_CONFIG_HOME", orHome: ".config") {
            self.directory = config + "/postern"
        } else {
            throw CommandFailure("cannot tell where the configuration is: HOME is not set", advice: "give --directory")
        }
    }

    var authority: String { directory + "/loopback-authority.crt" }
    var certificate: String { directory + "/loopback.crt" }
    var key: String { directory + "/loopback.key" }

    var isComplete: Bool { [authority, certificate, key].allSatisfy { (path: String) in access(path, F_OK) == 0 } }

    /// Without `.`, `..` and doubled slashes, for the configuration and the commands that name it. A `..` after a symbolic link leads
    /// elsewhere, so the file system is consulted first.
    private static func normal(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        var parts: [Substring] = []
        for part in path.parts(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
