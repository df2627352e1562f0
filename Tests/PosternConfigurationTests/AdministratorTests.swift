import Glibc
import PosternCore
import Testing

@testable import PosternConfiguration

@Suite("An administrator's mistakes")
struct AdministratorTests {
    static let work = "[provider.work]\nkind = \"oidc\"\nissuer = \"https://work.example\"\nclient-id = \"w\"\n"
    static let tool = "[provider.tool]\nkind = \"oidc\"\nissuer = \"https://tool.example\"\nclient-id = \"t\"\n"

    private func administrators(_ text: String, _ name: String = "config.toml", mode: UInt32 = 0o644, lastGood: String? = nil) -> ConfigurationFile {
        var file = ConfigurationFile(path: "/etc/postern/\(name)", bytes: Array(text.utf8), access: FileAccess(mode: mode), origin: .administrator)
        file.lastGood = lastGood.map { Array($0.utf8) }
        return file
    }

    private func read(_ text: String, under own: String = "") throws(ConfigurationError) -> Configuration {
        try Reading.read([administrators(text), Reading.file("config.toml", own)])
    }

    @Test(
        "One in a section leaves out that section, and is told with its line",
        arguments: [
            ("[callback]\nprt = 1\n", 2), ("[callback]\nport = \"x\"\n", 2), ("[sign-in]\ntimeout = \"soon\"\n", 2), ("[daemon]\nidle-exit = 5\n", 2),
            ("[attention]\ncommand = []\n", 2), ("[second-factor.phone]\n", 1), ("[second-factor.totp]\nissuer = \"a:b\"\n", 2), ("[store]\nkey = \"vault\"\n", 2),
            ("[accounts]\none-account-per-email = 1\n", 2), ("[colours]\nred = 1\n", 1), ("callback = 5\n", 1), ("account = 5\n", 1),
            ("[provider.x]\nclient-id = \"x\"\n", 1), ("[provider.password]\nkind = \"oidc\"\nissuer = \"https://x.example\"\n", 1),
            ("[provider.\"github.com\"]\nclient-id = 7\n", 2), ("[account.a]\nprovider = \"work\"\nlogn = \"ada\"\n", 3), ("[account.a]\nprovider = \"wrk\"\n", 2),
            ("[account.tool]\nprovider = \"work\"\n", 1), ("[provider.y]\nkind = \"oidc\"\nissuer = \"https://y.example\"\naccount = \"nobody\"\n", 4),
            ("[provider.y]\nkind = \"oidc\"\nissuer = \"https://y.example\"\nclient-id = \"y\"\nclient-secret = \"hush\"\n", 5),
        ])
    func section(text: String, line: Int) throws {
        let own = "[attention]\nnotify = false\n" + Self.tool
        let configuration = try Reading.read([
            administrators(text), administrators(Self.work, "config.d/work.toml"), Reading.file("config.toml", own),
        ])
        #expect(configuration.leftOut.map(\.line) == [line])
        #expect(configuration.leftOut.first?.message.hasSuffix(" is not used until this is fixed") == true)
        #expect(configuration.provider("work")?.provider.clientID == "w" && configuration.provider("tool")?.provider.clientID == "t")
        #expect(configuration.callback == Configuration.Callback() && configuration.signIn.timeout == .seconds(600))
        #expect(!configuration.attention.notifies && configuration.accounts.authority == .local && configuration.accounts.doubt == nil)
        // The same in the user's own file is refused, as ever.
        #expect(Reading.refusal(Self.work + own + text, mode: 0o644) != nil)
    }

    @Test("Several are all told, and what is beside them is used")
    func several() throws {
        let configuration = try read("[callback]\nprt = 1\n[sign-in]\ntimeout = \"1m\"\n[provider.x]\n[daemon]\nlog-level = 1\n" + Self.work)
        #expect(configuration.leftOut.map(\.line).sorted { ($0 ?? 0) < ($1 ?? 0) } == [2, 5, 7])
        #expect(configuration.signIn.timeout == .seconds(60) && configuration.provider("work")?.isBlocked == false)
    }

    @Test("A provider with one stays known and says why, but nobody can use it")
    func blocked() throws {
        let text = Self.work + "serves = [\"https://work.example\"]\nscops = [\"a\"]\n"
        let configuration = try read(text, under: "[account.acme]\nprovider = \"work\"\nfor = [\"https://git.example\"]\n[provider.work]\nscopes = [\"b\"]\n")
        let work = try #require(configuration.provider("work"))
        #expect(work.isBlocked && work.secret == nil && work.provider.clientID == nil && work.provider.serves.isEmpty)
        #expect(work.provider.problem?.contains("/etc/postern/config.toml:6: unknown key scops") == true)
        #expect(configuration.namedAccounts["acme"]?.providerID == "work")
        let known = try #require(try read("[provider.\"github.com\"]\nclient-id = \"g\"\nap = \"x\"\n").provider("github.com"))
        #expect(known.isBlocked && known.provider.serves.isEmpty && known.provider.clientID == nil && known.provider.kind == .oauth2)
    }

    @Test("The user's own section is used alone if it says which client or server is meant")
    func own() throws {
        let broken = "[provider.\"github.com\"]\nclient-id = 7\nscopes = [\"repo\"]\n"
        let own = try #require(try read(broken, under: "[provider.\"github.com\"]\nclient-id = \"mine\"\nclient-secret = { file = \"~/s\" }\nflow = \"device\"\n").provider("github.com"))
        // The user's client ID replaces the wrong one, so that nothing is wrong for this user.
        #expect(own.provider.clientID == "mine" && own.provider.scopes == ["repo"] && !own.isBlocked)
        let typo = "[provider.\"github.com\"]\nclient-id = \"theirs\"\nscops = [\"repo\"]\n"
        let alone = try read(typo, under: "[provider.\"github.com\"]\nclient-id = \"mine\"\nclient-secret = { file = \"~/s\" }\n")
        #expect(alone.provider("github.com")?.provider.clientID == "mine" && alone.leftOut.count == 1)
        #expect(try read(typo, under: "[provider.\"github.com\"]\nflow = \"device\"\n").provider("github.com")?.isBlocked == true)
        // A half that the user's section relies on is missing.
        let half = try read(Self.work + "scops = []\n", under: "[provider.work]\nclient-secret = { file = \"~/s\" }\n")
        #expect(half.provider("work")?.isBlocked == true && half.provider("work")?.secret == nil)
    }

    @Test(
        "The user's own section is not used alone if the administrator's names a server that it does not",
        arguments: [
            ("microsoft.com", "tenant = \"corp.example\"\nscops = []\n", "tenant = \"corp.example\"\n"),
            ("microsoft.com", "tennant = \"corp.example\"\n", "tenant = \"corp.example\"\n"),
            ("github.com", "host = \"git.example\"\nscops = []\n", "host = \"git.example\"\n"),
            ("gitlab.com", "host = \"git.example\"\nscops = []\n", "host = \"git.example\"\n"),
            (
                "google.com", "token-endpoint = \"https://corp.example/token\"\nscops = []\n",
                "token-endpoint = \"https://corp.example/token\"\n"
            ),
        ])
    func server(id: String, theirs: String, needed: String) throws {
        let header = "[provider.\"\(id)\"]\n"
        let own = header + "client-id = \"mine\"\nclient-secret = { file = \"~/s\" }\n"
        let without = try #require(try read(header + theirs, under: own).provider(id))
        #expect(without.isBlocked && without.provider.clientID == nil && without.secret == nil)
        #expect(without.provider.problem?.contains("/etc/postern/config.toml:") == true)
        let with = try #require(try read(header + theirs, under: own + needed).provider(id))
        #expect(!with.isBlocked && with.provider.clientID == "mine" && with.secret != nil)
    }

    @Test("A secret alone is half a provider, also of a built-in one")
    func secretAlone() throws {
        let typo = "[provider.\"github.com\"]\nclient-id = \"theirs\"\nscops = [\"repo\"]\n"
        let half = try #require(try read(typo, under: "[provider.\"github.com\"]\nclient-secret = { file = \"~/s\" }\n").provider("github.com"))
        #expect(half.isBlocked && half.secret == nil && half.provider.problem?.contains("unknown key scops") == true)
    }

    @Test(
        "What the user does wrong is refused, also in a section of the administrator's",
        arguments: [
            ("[callback]\nport = 5\n", "[callback]\nprt = 1\n"), (work, "[provider.work]\nscops = []\n"), (work, "[provider.work]\nkind = \"oauth1\"\n"),
            (work + "[account.a]\nprovider = \"work\"\n", "[account.a]\nonly = true\n"), (work + "scops = []\n", "[provider.other]\n"),
            ("[colours]\n", "[shapes]\n"), (work, "[provider.work]\naccount = \"nobody\"\n"),
        ])
    func users(theirs: String, own: String) { #expect(throws: ConfigurationError.self) { try read(theirs, under: own) } }

    @Test("An account with one claims what it had, and gives nothing")
    func account() throws {
        let section = "[account.acme]\nprovider = \"work\"\nlogin = \"ada\"\nfor = [\"https://git.example/acme/\"]\n"
        let configuration = try read(Self.work + section + "olny = true\n", under: "[account.acme]\nonly = false\nscopes = [\"x\"]\n")
        let account = try #require(configuration.namedAccounts["acme"])
        #expect(account.problem?.contains("unknown key olny") == true)
        #expect(account.login?.text == "ada" && account.isForTheseOnly && account.scopes.isEmpty && account.prefixes.map(\.text) == ["https://git.example/acme/"])
        #expect(try read(Self.work + section).namedAccounts["acme"]?.problem == nil)
        let partly = try read(Self.work + "[account.acme]\nprovider = \"work\"\nfor = [\"https://git.example/a/\", \"nonsense\", 5]\n")
        #expect(partly.namedAccounts["acme"]?.prefixes.map(\.text) == ["https://git.example/a/"])
    }

    @Test("A package does not get what a broken section had")
    func package() throws {
        let other = "[provider.other]\nkind = \"oidc\"\nissuer = \"https://git.example\"\nclient-id = \"o\"\nserves = [\"https://git.example\"]\n"
        func packaged(_ text: String) -> ConfigurationFile {
            ConfigurationFile(path: "/usr/share/postern/providers.d/a.toml", bytes: Array(text.utf8), access: FileAccess(mode: 0o644), origin: .package)
        }
        let configuration = try Reading.read([
            packaged(other), administrators(Self.work + "serves = [\"https://git.example/x\"]\nscops = []\n"), Reading.file("config.toml", ""),
        ])
        #expect(configuration.provider("other")?.provider.serves.isEmpty == true && configuration.leftOut.count == 2)
        // Nor does it come back in place of the administrator's.
        let same = try Reading.read([packaged(Self.work), administrators("[provider.work]\nclient-id = \"a\"\nscops = []\n"), Reading.file("config.toml", "")])
        #expect(same.provider("work")?.isBlocked == true)
    }

    // MARK: What must not be loosened

    @Test(
        "One about the authority for the accounts prevents every sign-in, unless the user sets it",
        arguments: [
            "[accounts]\nauthority = \"firebase\"\nproject-id = \"p\"\n", "[accounts]\nautority = \"firebase\"\n", "[accounts]\nproject-id = 7\napi-key = { file = \"/x\" }\n",
            "[acounts]\nauthority = \"firebase\"\n", "[accounts]\nauthority = \"firebas\"\n", "[accounts\nauthority = \"firebase\"\n", "x =\naccounts.authority = \"firebase\"\n",
            "[accounts]\nauthority = \"firebase\"\napi-key = \"hush\"\n",
        ])
    func authority(text: String) throws {
        let configuration = try read(text)
        #expect(configuration.accounts.authority == .firebase && configuration.accounts.firebase == nil && configuration.accounts.doubt != nil)
        #expect(configuration.leftOut.count == 1)
        let own = try read(text, under: "[accounts]\nauthority = \"local\"\n")
        #expect(own.accounts.authority == .local && own.accounts.doubt == nil)
    }

    @Test(
        "One that is about nothing but this machine's accounts leaves the strict rule",
        arguments: ["[accounts]\none-acount-per-email = false\n", "[accounts]\nauthority = \"local\"\none-account-per-email = \"no\"\n", "[accounts]\none-account-per-email = 0\n"])
    func strictest(text: String) throws {
        let configuration = try read(text)
        #expect(configuration.accounts == Configuration.Accounts() && configuration.accounts.oneAccountPerEmail && configuration.leftOut.count == 1)
    }

    @Test(
        "One about the key of the store has no store made, unless the user says",
        arguments: ["[store]\nkey = \"pasphrase\"\n", "[stor]\nkey = \"passphrase\"\n", "[store]\nkye = 1\n", "[store]\nkey = passphrase\n"])
    func store(text: String) throws {
        #expect(try read(text).store.doubt != nil)
        #expect(try read(text, under: "[store]\nkey = \"file\"\n").store.doubt == nil)
        #expect(try read("[callback]\nprt = 1\n").store.doubt == nil)
    }

    @Test(
        "A file in which nothing can be searched may have said anything",
        arguments: [
            "\u{FEFF}[store]\nkey = \"passphrase\"\n", "\u{FEFF}[callback]\n", "[\0s\0t\0o\0r\0e\0]\0", "x\r[store]\r[accounts]\r",
        ])
    func unsearchable(text: String) throws {
        let configuration = try read(text)
        #expect(configuration.store.doubt != nil && configuration.accounts.doubt != nil)
    }

    @Test("One in [callback] leaves a listener that answers only its user")
    func callback() throws { #expect(try read("[callback]\nsame-user = false\nprt = 1\n").callback.sameUser) }

    // MARK: Files

    static let faults = [("[callback\n", UInt32(0o644)), ("[callback]\nport = 5\n", 0o666), ("x = 1\nx = 2\n", 0o644)]

    @Test("A file that cannot be used at all is left out, and sections of the user's that add to it are too", arguments: faults)
    func file(text: String, mode: UInt32) throws {
        let own = "[provider.work]\nclient-secret = { file = \"~/s\" }\n[account.acme]\nprovider = \"work\"\n[account.lab]\nprovider = \"tool\"\n" + Self.tool
        let configuration = try Reading.read([administrators(text, mode: mode), Reading.file("config.toml", own)])
        #expect(configuration.provider("work")?.isBlocked == true && configuration.provider("tool")?.provider.clientID == "t")
        #expect(configuration.namedAccounts["acme"]?.problem == nil && configuration.namedAccounts["lab"]?.problem == nil)
        #expect(configuration.callback.port == 7678)
        #expect(configuration.leftOut.first?.file == "/etc/postern/config.toml")
        #expect(configuration.leftOut.first?.message.hasSuffix("; the file is not used until this is fixed") == true)
    }

    @Test("What such a file said before stays in force, if that is known", arguments: faults)
    func lastGood(text: String, mode: UInt32) throws {
        let broken = administrators(text, mode: mode, lastGood: "[callback]\nport = 9\nprt = 1\n" + Self.work)
        let configuration = try Reading.read([broken, Reading.file("config.toml", "[provider.work]\nclient-secret = { file = \"~/s\" }\n")])
        #expect(configuration.provider("work")?.secret != nil && configuration.provider("work")?.isBlocked == false)
        #expect(configuration.leftOut.count == 2)
        #expect(configuration.leftOut.contains { $0.message.hasSuffix("; what the file said before stays in force until this is fixed") })
    }

    @Test("All mistakes are found before a file ships, in packages' files as well")
    func shipping() throws {
        let directory = PrivateDirectory()
        for path in ["etc", "etc/postern", "etc/postern/config.d", "usr", "usr/share", "usr/share/postern", "usr/share/postern/providers.d"] {
            directory.makeDirectory(path)
        }
        let environment = ["HOME": "/home/ada", "POSTERN_SYSTEM_ROOT": directory.path]
        let main = directory.write("etc/postern/config.toml", "[callback]\nprt = 1\n[sign-in]\ntimeout = 1\n" + Self.work + "client-secret = \"hush\"\n", mode: 0o644)
        let part = directory.write("etc/postern/config.d/a.toml", "[x\n", mode: 0o644)
        let package = directory.write("usr/share/postern/providers.d/p.toml", Self.tool + "ca-file = \"/x\"\n", mode: 0o644)
        func places(_ path: String? = nil) -> [String] {
            ConfigurationLoader.sharedMistakes(path: path, environment: environment).mistakes.map { "\($0.file):\($0.line ?? 0)" }.sorted()
        }
        #expect(places().filter { !$0.hasSuffix(":0") } == ["\(part):1", "\(main):2", "\(main):4", "\(main):9", "\(package):5"])
        // In place, all users must be able to read them.
        #expect(places().filter { $0.hasSuffix(":0") } == ["\(directory.path)/etc/postern/config.d:0", "\(directory.path)/etc/postern:0"])
        let draft = directory.write("draft.toml", "[daemon]\nlog = 1\n" + Self.work + "client-secret = \"hush\"\n", mode: 0o600)
        #expect(places(draft) == ["\(draft):2", "\(draft):7", "\(package):5"])
    }
}

@Suite("The last good files of the administrator")
struct LastGoodFilesTests {
    let directory = PrivateDirectory()

    init() {
        for path in ["etc", "etc/postern", "etc/postern/config.d"] { directory.makeDirectory(path) }
    }

    private var environment: [String: String] { ["HOME": directory.path, "POSTERN_SYSTEM_ROOT": directory.path] }

    private func files() -> LastGoodFiles { LastGoodFiles(state: "\(directory.path)/state/postern", environment: environment) }

    /// - Parameter files: as of a daemon that runs; by default one that starts.
    private func load(_ files: LastGoodFiles? = nil) throws -> (configuration: Configuration, files: LastGoodFiles) {
        var files = files ?? self.files()
        let configuration = try ConfigurationLoader.load(path: "\(directory.path)/own/config.toml", environment: environment, remembering: &files)
        return (configuration, files)
    }

    @Test("They stay in force over a start, until the file is good again or gone")
    func overStart() throws {
        directory.write("etc/postern/config.toml", AdministratorTests.work, mode: 0o644)
        directory.write("etc/postern/config.d/port.toml", "[callback]\nport = 9\n", mode: 0o644)
        #expect(try load().configuration.leftOut.isEmpty)
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        directory.write("etc/postern/config.d/port.toml", "[callback]\nport = 10\n", mode: 0o666)
        let kept = try load().configuration
        #expect(kept.provider("work")?.provider.clientID == "w" && kept.callback.port == 9 && kept.leftOut.count == 2)
        directory.write("etc/postern/config.d/port.toml", "[callback]\nport = 11\n", mode: 0o644)
        #expect(try load().configuration.callback.port == 11)
        remove("\(directory.path)/etc/postern/config.toml")
        #expect(try load().configuration.provider("work") == nil)
        // What was removed does not come back.
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        #expect(try load().configuration.provider("work") == nil)
    }

    @Test("The parts of a directory that cannot be read do too")
    func parts() throws {
        directory.write("etc/postern/config.d/port.toml", "[callback]\nport = 9\n", mode: 0o644)
        _ = try load()
        rename("\(directory.path)/etc/postern/config.d", "\(directory.path)/aside")
        directory.write("etc/postern/config.d", "", mode: 0o644)
        for _ in 1...2 {
            let configuration = try load().configuration
            #expect(configuration.callback.port == 9 && configuration.leftOut.map(\.message) == ["this is not a directory; the files that were there before stay in force until this is fixed"])
        }
        remove("\(directory.path)/etc/postern/config.d")
        #expect(try load().configuration.callback.port == 7678)
    }

    @Test("A copy that others can write, or that is no configuration, is not used")
    func unfit() throws {
        directory.write("etc/postern/config.toml", AdministratorTests.work, mode: 0o644)
        _ = try load()
        let copy = "\(directory.path)/state/postern/administrator/unknown/config.toml"
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        #expect(try load().configuration.provider("work") != nil)
        chmod(copy, 0o666)
        #expect(try load().configuration.provider("work") == nil)
        chmod(copy, 0o600)
        #expect(try load().configuration.provider("work") != nil)
        directory.write("state/postern/administrator/unknown/config.toml", "", mode: 0o600)
        #expect(try load().configuration.provider("work") == nil)
    }

    @Test("A copy holds no secret that the file may not hold")
    func secret() throws {
        directory.write("etc/postern/config.toml", AdministratorTests.work + "client-secret = \"hush\"\n", mode: 0o644)
        #expect(try load().configuration.provider("work")?.isBlocked == true)
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        #expect(try load().configuration.provider("work")?.isBlocked == true)
    }

    @Test("Another machine that shares the home directory has copies of its own")
    func machines() throws {
        directory.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n", mode: 0o444)
        directory.write("etc/postern/config.toml", AdministratorTests.work, mode: 0o644)
        _ = try load()
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        #expect(try load().configuration.provider("work") != nil)
        chmod("\(directory.path)/etc/machine-id", 0o644)
        directory.write("etc/machine-id", "fedcba9876543210fedcba9876543210\n", mode: 0o444)
        #expect(try load().configuration.provider("work") == nil)
    }

    @Test("A daemon that runs remembers them without a copy")
    func running() throws {
        directory.write("state", "in the way")
        directory.write("etc/postern/config.toml", AdministratorTests.work, mode: 0o644)
        let before = try load().files
        directory.write("etc/postern/config.toml", "[provider.work\n", mode: 0o644)
        #expect(try load(before).configuration.provider("work") != nil)
        #expect(try load().configuration.provider("work") == nil)
    }
}
