import PosternClient
import Testing

@testable import ProgramOptions
@testable import TestDaemon
@testable import postern

@Suite("The command line")
struct CommandLineTests {
    /// Every command that does something, by the words that lead to it.
    static let tables: [String: OptionTable] = collect(Program.table)

    private static func collect(_ table: OptionTable) -> [String: OptionTable] {
        let own = table.command == nil ? [:] : [table.words.joined(separator: " "): table]
        return table.commands.reduce(into: own) { $0.merge(collect(table.table(of: $1))) { first, _ in first } }
    }

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    static func command(_ line: String) -> (any ProgramCommand)? {
        if case .command(let command) = Program.table.command(in: words(line), width: nil) { command } else { nil }
    }

    static func text(_ line: String) -> String? {
        if case .text(let text) = Program.table.command(in: words(line), width: nil) { text } else { nil }
    }

    static func refusal(_ words: [String]) -> String? {
        if case .refusal(let error, let table) = Program.table.command(in: words, width: nil) { table.refusal(error) } else { nil }
    }

    @Test("every help has examples that begin with the command itself, and fit a line of eighty columns", arguments: tables.keys.sorted())
    func examples(words: String) throws {
        let table = try #require(Self.tables[words])
        #expect(table.discussion.contains("EXAMPLES") && table.discussion.contains("postern \(words)"))
        // A longer line goes over to the next one at its very beginning, where the terminal is as wide as most are.
        #expect(table.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.count > 80 } == [])
        #expect(Self.text("help \(words)") == table.help() && Self.text("\(words) --help") == table.help())
        let refusal = Self.refusal(Self.words(words) + ["--no-such-option"]) ?? ""
        // A sentence is one line where no terminal is.
        #expect((table.help() + refusal).split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("postern: ") })
    }

    @Test("the help of a group fits a line of eighty columns, and its headings are words", arguments: ["", "config", "provider", "second-factor", "url-scheme", "mcp"])
    func groups(words: String) throws {
        let help = try #require(Self.text(words)).split(separator: "\n")
        #expect(help.allSatisfy { $0.count <= 80 })
        let headings = help.filter { $0.hasSuffix("SUBCOMMANDS:") }
        #expect(headings.count >= (words.isEmpty ? 5 : 1) && headings.allSatisfy { $0.filter { $0 == ":" }.count == 1 })
    }

    @Test("every option has a help that is a sentence, and a name that no other has", arguments: tables.keys.sorted())
    func options(words: String) throws {
        let options = try #require(Self.tables[words]).options
        #expect(Set(options.map(\.synopsis)).count == options.count)
        for option in options { #expect(option.help.hasSuffix(".") || option.help.hasSuffix(")"), "\(option.name)") }
        // A word of another program ends what can be read.
        #expect(options.filter { [.allWords, .lastOption].contains($0.form) }.count <= 1)
        // A required argument behind one that may be left out could not be told from it.
        let arguments = options.filter { $0.form == .argument }.map(\.isRequired)
        #expect(arguments == arguments.sorted { $0 && !$1 })
    }

    @Test(
        "an option that would mean nothing is not there",
        arguments: ["status", "lock", "unlock", "reload", "sessions", "credentials", "doctor", "monitor", "token", "provider list", "exec"].map { ($0, "app") }
            + [("exec", "json"), ("sasl", "json"), ("provider certificate", "socket")])
    func meaningless(words: String, option: String) throws {
        #expect(try !#require(Self.tables[words]).options.contains { $0.name == option })
    }

    @Test("a mistake on the command line is told as every other failure is")
    func usage() throws {
        let words = try #require(Self.refusal(["token", "work", "--nope"]))
        #expect(words.hasPrefix("postern: there is no option '--nope'\nUsage: postern token "))
        #expect(words.hasSuffix("  See 'postern token --help' for more information.\n"))
        #expect(Self.text("") == Program.table.help() && Self.text("config") == Self.text("help config") && Self.text("token --version") != nil)
    }

    @Test(
        "an unknown command is reported with a suggestion",
        arguments: [
            ("provider shw", "there is no command 'shw'; did you mean 'show'?"), ("help nope", "there is no command 'nope'; postern --help lists them"),
            ("help config nope", "there is no command 'nope'; postern config --help lists them"), ("logn", "there is no command 'logn'; did you mean 'login'?"),
        ])
    func commands(line: String, sentence: String) throws {
        #expect(try #require(Self.refusal(Self.words(line))).hasPrefix("postern: \(sentence)\n"))
    }

    @Test(
        "a command of another program leads to one that is here",
        arguments: [
            ("auth login", "sign-in PROVIDER"), ("auth login --web", "sign-in PROVIDER"), ("auth logout", "sign-out ACCOUNT"), ("auth token", "token PROVIDER"),
            ("get-token", "token PROVIDER"), ("auth print-access-token", "token PROVIDER"), ("auth status", "accounts"), ("auth", "sign-in PROVIDER"),
            ("list", "accounts"), ("init", "setup PROVIDER"), ("refresh", "token PROVIDER --refresh"), ("version --json", "--version"),
        ])
    func foreign(line: String, command: String) throws {
        #expect(try #require(Self.refusal(Self.words(line))).contains("; postern \(command) "))
        #expect(Self.text("\(Self.words(command)[0]) --help") != nil)
    }

    @Test("a command has its other names", arguments: [("login p", "sign-in p"), ("logout", "sign-out"), ("ls", "accounts")])
    func aliases(alias: String, name: String) throws {
        let (one, other) = try (#require(Self.command(alias)), #require(Self.command(name)))
        #expect("\(one)" == "\(other)")
    }

    @Test("the words of another program are not looked at")
    func others() throws {
        let exec = try #require(Self.command("exec --env A=work -q -- sh -c --json --help") as? Exec)
        #expect(exec.command == ["sh", "-c", "--json", "--help"] && exec.common.quiet)
        #expect(try #require(Self.command("attach s --browser firefox -P -- --help") as? Attach).browser == ["firefox", "-P", "--", "--help"])
        #expect(try #require(Self.command("curl --account work -h") as? Curl).words == ["--account", "work", "-h"])
        #expect(try #require(Self.command("helper git --help -- x") as? Helper).arguments == ["--help", "--", "x"])
        #expect(try #require(Self.command("open-url -- -x") as? OpenURL).url == "-x")
        #expect(Self.text("curl --help") != nil && Self.text("curl --version") == nil)
    }

    @Test("the commands are those of the contract for this version")
    func contract() {
        #expect(
            Set(Self.tables.keys) == [
                "sign-in", "whoami", "sign-out", "link", "unlink", "reauthenticate", "create-user", "update-user", "delete-user",
                "second-factor list", "second-factor add", "second-factor remove", "token", "user-token", "credentials", "revoke", "helper",
                "exec", "curl", "sasl", "import",
                "sessions",
                "attach", "cancel", "open-url",
                "provider list",
                "provider show", "provider check", "provider remove", "provider certificate",
                "accounts", "accounts add", "accounts rename", "accounts remove",
                "url-scheme register", "url-scheme remove", "url-scheme list",
                "mcp add", "mcp list", "mcp remove", "mcp run", "mcp check", "mcp config", "mcp document",
                "status", "monitor", "reload", "doctor", "call", "demo",
                "lock", "unlock",
                "setup", "config path", "config show", "config get", "config set", "config unset", "config edit",
            ])
    }

    @Test("the options of sign-in become the parameters of the call")
    func signIn() throws {
        let line = "sign-in p --scope a --scope b --param x=1=2 --param y= --login-hint ada --timeout 2m --device --app tool"
        let command = try #require(Self.command(line) as? SignIn)
        #expect(command.common.givenApp == "tool" && (Self.command("sign-in p") as? SignIn)?.common.givenApp == nil)
        let parameters = command.proof.ask.signIn(providerID: "p", intent: .signIn, app: command.common.app, presentation: .client)
        #expect(
            parameters
                == Interface.SignIn(
                    providerID: "p", intent: .signIn, app: "tool", scopes: ["a", "b"], customParameters: ["x": "1=2", "y": ""],
                    loginHint: "ada", flow: .device, presentation: .client, timeoutSeconds: 120))
    }

    @Test(
        "the way to prove who one is can be a provider, an address with a password, or nothing at all",
        arguments: [
            ("sign-in password", SignInWay.password(email: nil)), ("sign-in --email a@b.c", .password(email: "a@b.c")),
            ("sign-in password --email a@b.c --timeout 1m", .password(email: "a@b.c")), ("sign-in anonymous", .anonymous),
            (
                "link p --login-hint ada --app tool",
                .provider(Interface.SignIn(providerID: "p", intent: .signIn, app: "tool", loginHint: "ada", presentation: .daemon))
            ),
            ("reauthenticate password", .password(email: nil)),
        ])
    func ways(line: String, way: SignInWay) throws {
        let command = try #require(Self.command(line) as? any ProvingCommand)
        #expect(command.proof.way(app: command.common.app) == way)
    }

    @Test(
        "wrong usage is refused before anything is asked",
        arguments: [
            "sign-in", "sign-in work --email a@b", "sign-in password --scope a", "sign-in anonymous --email a@b",
            "reauthenticate anonymous", "link", "create-user", "update-user", "second-factor add", "second-factor add phone",
            "second-factor add totp 5", "second-factor add key", "unlink", "sign-out p --app a", "sign-out --account x",
            "sign-out --keep-grant", "logout --end-session", "revoke p --keep-grant --end-session", "revoke", "link anonymous",
            "exec --env A=p", "exec --env A=p --", "exec --env A=p true", "exec --env A=p --file A=p -- true", "helper gti get",
            "sasl xoauth2 m --port 70000", "attach s --browser", "sign-in p --param x", "sign-in p --param =x",
            "sign-in p --param a=1 --param a=2", "sign-in p --timeout 0s", "sign-in p --timeout 61m", "sign-in p --timeout 10",
            "token p --min-validity x", "bogus", "provider bogus", "cancel", "user-token", "user-token notes", "import", "import bogus",
            "import oama x --as A", "import pizauth --password-file p", "import pizauth --provider p --issuer https://a.example",
            "import codex --provider p", "import codex --url https://a.example", "import opencode --password-file p",
            "sasl oauthbearer m --port 0", "sasl plain m", "sasl xoauth2 m --host a",
        ])
    func wrongUsage(line: String) {
        #expect(Self.refusal(Self.words(line)) != nil)
    }
}
