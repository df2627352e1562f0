import Glibc
import PosternClient
import StrictJSON

/// A program whose accounts can be imported.
enum ForeignProgram: String, CaseIterable {
    case pizauth
    case oidcAgent = "oidc-agent"
    case muttOAuth2 = "mutt_oauth2"
    case oama
    case gh

    /// Its tokens are of its own client, which is not to be used here.
    var hasOwnClient: Bool { self == .gh }
}

/// Reads another program's data, without changing it.
struct ForeignSource {
    var program: ForeignProgram
    /// Nil for the program's default place.
    var file: String?
    /// For `sh`, with the file as its standard input, instead of the program's own method.
    var decryptCommand: String?
    /// A file whose first line decrypts a file of oidc-agent.
    var passwordFile: String?
    var environment: [String: String]

    /// - Returns: the accounts, and where they were found.
    func accounts() throws -> (accounts: [ForeignAccount], place: String) {
        switch program {
        case .pizauth: return try pizauth()
        case .oidcAgent:
            let path = try oidcAgentFile()
            let plain: [UInt8]
            if decryptCommand != nil || path == "-" {
                plain = try decrypted(ForeignFile.read(path))
            } else {
                plain = try CapturedCommand.run(
                    ["oidc-gen", "-p", path] + (passwordFile.map { ["--pw-file=\($0)"] } ?? []))
            }
            return ([try reading(path) { () throws(ForeignFileError) in try OIDCAgentFile.account(in: .foreign(plain)) }], path)
        case .muttOAuth2:
            guard let path = file else {
                throw CommandFailure("which file? It is the argument of mutt_oauth2.py", status: .wrongUsage)
            }
            let plain = try decrypted(ForeignFile.read(path))
            return ([try reading(path) { () throws(ForeignFileError) in try MuttOAuth2File.account(in: .foreign(plain)) }], path)
        case .oama: return try oama()
        case .gh: return try gh()
        }
    }

    /// A name that is not a path may be one that the other program knows.
    func refuseMissingFile() throws(CommandFailure) {
        guard let file, file != "-", [.pizauth, .muttOAuth2, .gh].contains(program) || file.unicodeScalars.contains("/") else { return }
        guard access(file, F_OK) != 0 else { return }
        throw CommandFailure("\(file) cannot be read: \(String(cString: strerror(errno)))".plain)
    }

    // MARK: pizauth

    private func pizauth() throws -> ([ForeignAccount], String) {
        if let file {
            let bytes = try ForeignFile.read(file)
            return (try reading(file) { () throws(ForeignFileError) in try Self.pizauth(bytes) }, file)
        }
        if Executable.find("pizauth", path: environment["PATH"] ?? "") != nil, let dump = try? CapturedCommand.run(["pizauth", "dump"]) {
            let place = "pizauth dump"
            return (try reading(place) { () throws(ForeignFileError) in try PizauthDump.accounts(in: dump) }, place)
        }
        let path = try configurationDirectory() + "/pizauth.conf"
        let bytes = try ForeignFile.read(path)
        return (try reading(path) { () throws(ForeignFileError) in try Self.pizauth(bytes) }, path)
    }

    /// A configuration is text; a dump begins with random bytes.
    static func pizauth(_ bytes: [UInt8]) throws(ForeignFileError) -> [ForeignAccount] {
        if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) { return try PizauthConfiguration.accounts(in: text) }
        return try PizauthDump.accounts(in: bytes)
    }

    // MARK: gh

    private func gh() throws -> ([ForeignAccount], String) {
        let own = ProcessEnvironment.variable("GH_CONFIG_DIR").flatMap { $0.isEmpty ? nil : $0 }
        let path = try file ?? (own ?? configurationDirectory() + "/gh") + "/hosts.yml"
        let bytes = try ForeignFile.read(path)
        var accounts = try reading(path) { () throws(ForeignFileError) in
            guard let text = String(validating: bytes, as: UTF8.self) else { throw ForeignFileError("it is not text in UTF-8") }
            return try GitHubHosts.accounts(in: text)
        }
        // What gh keeps in a keyring, it prints: the file has then only the names.
        if file == nil, Executable.find("gh", path: environment["PATH"] ?? "") != nil {
            for place in accounts.indices where accounts[place].accessToken == nil {
                guard let host = accounts[place].host, let user = accounts[place].login,
                    let printed = try? CapturedCommand.run(["gh", "auth", "token", "--hostname", host, "--user", user]),
                    let token = String(validating: printed, as: UTF8.self)?.parts(separator: "\n").first.map(String.init),
                    GitHubHosts.isToken(token)
                else { continue }
                accounts[place].accessToken = Secret(token)
            }
        }
        return (accounts, path)
    }

    // MARK: Files

    /// A name is that of a file in oidc-agent's directory.
    private func oidcAgentFile() throws -> String {
        guard let file else { throw CommandFailure("which account? oidc-gen --accounts lists them", status: .wrongUsage) }
        if file == "-" || file.unicodeScalars.contains("/") { return file }
        let own = getenv("OIDC_CONFIG_DIR").map { String(cString: $0) }
        let directories = try [own, configurationDirectory() + "/oidc-agent", home() + "/.oidc-agent"].compactMap { $0 }
        let paths = directories.map { "\($0)/\(file)" } + [file]
        return paths.first { access($0, R_OK) == 0 } ?? file
    }

    private func oama() throws -> ([ForeignAccount], String) {
        guard let file else { throw CommandFailure("which account? Give its address, or its .oama file", status: .wrongUsage) }
        var path = file
        if file != "-", !file.unicodeScalars.contains("/"), !file.ends(with: ".oama") {
            path = try (environment.path("XDG_STATE_HOME") ?? home() + "/.local/state") + "/oama/\(file).oama"
            if access(path, F_OK) != 0 {
                // It is in the keyring instead.
                let plain = try CapturedCommand.run(["secret-tool", "lookup", "oama", file])
                let place = "the keyring"
                return ([try reading(place) { () throws(ForeignFileError) in try OAMAFile.account(in: .foreign(plain)) }], place)
            }
        }
        let plain = try decrypted(ForeignFile.read(path))
        return ([try reading(path) { () throws(ForeignFileError) in try OAMAFile.account(in: .foreign(plain)) }], path)
    }

    /// Unchanged if it is JSON already; otherwise the output of `gpg` or of the user's command.
    private func decrypted(_ bytes: [UInt8]) throws -> [UInt8] {
        if let decryptCommand { return try CapturedCommand.run(["/bin/sh", "-c", decryptCommand], input: bytes) }
        if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") { return bytes }
        return try CapturedCommand.run(["gpg", "--quiet", "--decrypt"], input: bytes)
    }

    private func reading<Value>(_ place: String, _ body: () throws(ForeignFileError) -> Value) throws(CommandFailure) -> Value {
        do throws(ForeignFileError) { return try body() } catch {
            throw CommandFailure("\(place == "-" ? "standard input" : place): \(error)".plain)
        }
    }

    private func home() throws(CommandFailure) -> String {
        guard let home = environment.path("HOME") else { throw CommandFailure("HOME is not a directory; give the file") }
        return home
    }

    private func configurationDirectory() throws -> String {
        try environment.path("XDG_CONFIG_HOME") ?? home() + "/.config"
    }
}
