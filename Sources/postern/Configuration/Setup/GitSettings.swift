import PosternConfiguration

import struct PosternCore.ProviderRegistration

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
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
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
            throw CommandFailure("git did not take its settings", advice: "to set them by hand: \(lines.joined(separator: "; "))".plain)
        }
    }

    private func output(of arguments: [String]) -> String? {
        try? ChildProcess.output(of: git, arguments, environment, timeout: 10_000)
    }
}

extension SetupDialogue {
    /// Offers git's settings where its passwords are what the tokens are for.
    func offerGit(_ target: SetupTarget, _ purpose: Purpose?) throws {
        guard let prompt, let configured = try file.text(environment).configuration().provider(target.id)?.provider,
            purpose?.isForGit ?? isForGit(configured.scopes, of: target), let url = configured.serves.first?.text
        else { return }
        guard let helper = GitSettings(for: url, environment) else {
            return say("For git to ask Postern, git-credential-postern, which comes with it, has to be in PATH.")
        }
        guard !helper.isSet else { return say("git asks Postern for \(url) already.".plain) }
        say("", "To make git ask Postern for \(url):".plain)
        for line in helper.lines { say("  " + line.plain) }
        let replaced = helper.replaced
        if !replaced.isEmpty { say("It asks this now, and would no longer: \(replaced.joined(separator: ", "))".plain) }
        guard try prompt.isYes("Set it now?", byDefault: replaced.isEmpty) else { return }
        try helper.set()
    }

    /// Nobody has said what the tokens are for, but their scopes are among those that git needs.
    func isForGit(_ scopes: [String], of target: SetupTarget) -> Bool {
        let purposes = ProviderRegistration.of(target.id, target.kind)?.purposes ?? []
        guard let git = purposes.first(where: \.isForGit), let least = purposes.last else { return false }
        return !Set(git.scopes).subtracting(least.scopes).isDisjoint(with: scopes)
    }
}
