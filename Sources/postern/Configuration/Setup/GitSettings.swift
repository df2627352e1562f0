import PosternConfiguration

/// The settings of git with which it asks Postern for the password at a server.
struct GitSettings {
    /// The server.
    let url: String
    /// As git's settings name it: `postern`, or a path if git would not find that.
    private let helper: String
    private let git: String
    private let environment: [String: String]

    /// Nil if there is no git, or no helper.
    init?(for url: String, _ environment: [String: String]) {
        let path = environment["PATH"] ?? ProgramSearch.standard
        let program = "git-credential-postern"
        guard let git = Executable.find("git", path: path), let found = Executable.companion(program, path: path) else { return nil }
        self.url = url
        self.git = git
        // With which git finds its own settings.
        let own = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"].map { ($0, ProcessEnvironment.variable($0)) }
        self.environment = own.reduce(into: environment) { $0[$1.0] = $1.1 }
        // After an exclamation mark it is a line for a shell; a quoted path alone would be the end of a program's name.
        helper = Executable.find(program, path: path) == nil ? "!" + ShellWord.quoted(found) : "postern"
    }

    private var key: String { "credential.\(url).helper" }

    /// The first removes the helpers of other files, which would be given the token to keep.
    private var commands: [[String]] {
        [["config", "--global", "--replace-all", key, ""], ["config", "--global", "--add", key, helper]]
    }

    var lines: [String] { commands.map { "git " + $0.map(ShellWord.quoted).joined(separator: " ") } }

    /// Whether git asks Postern already.
    var isSet: Bool {
        // In no repository, which could have settings of its own.
        output(of: ["-C", "/", "config", "--get-urlmatch", "credential.helper", url])?.holds("postern") == true
    }

    /// The helpers for this server that would no longer be asked.
    var replaced: [String] {
        (output(of: ["config", "--global", "--get-all", key]) ?? "").parts(separator: "\n").map { String($0) }
    }

    /// - Throws: if git refuses one of them, as with a file that cannot be written. git says why.
    func set() throws {
        for command in commands where output(of: command) == nil {
            throw CommandFailure("git refused the settings", advice: "to set them by hand: \(lines.joined(separator: "; "))".plain)
        }
    }

    private func output(of arguments: [String]) -> String? {
        try? ChildProcess.output(of: git, arguments, environment, timeout: 10_000)
    }
}
