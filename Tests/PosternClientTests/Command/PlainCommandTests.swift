import ArgumentParser
import StrictJSON
import Testing

@testable import postern

@Suite("A plain command line")
struct PlainCommandTests {
    /// What else can stand behind a command's own words. Few of them fit any one command.
    static let arguments = [
        "", "--json", "--json --json", "--quiet", "-q", "-q --quiet", "-qq", "--app tool", "--app=tool", "--app", "--app --json",
        "--socket /run/s", "--socket /run/s --json -q --app tool", "--config /c.toml --json", "--config /c.toml -q", "a", "a --json",
        "--json a b",
        "a --app tool", "--app tool a", "a b", "a b c", "a -- b", "-- a", "--", "-x", "a -5", "help", "a help", "--help", "-h", "a --help",
        "--version",
        "--help-hidden", "--generate-completion-script bash", "--generate-completion-script", "---completion", "--experimental-dump-help",
        "---completion a", "--account a p", "p --account a --end-session", "p --end-session --account -a", "--yes", "--yes --app tool",
        "--open a", "a --open --socket /run/s", "a --browser firefox -P work", "--browser", "GetStatus {}", "GetStatus {} --more --json",
        "GetStatus - --more", "ada@example.com --name Ada", "--name Ada ada@example.com --json", "--name Ada --photo https://a.example/",
        "--email a@b.example", "--password", "--password --name", "xoauth2 mail", "oauthbearer mail --host h --port 993 --user u --raw",
        "xoauth2 mail --host h", "oauthbearer mail --port 70000", "oauthbearer mail --port x", "bogus mail", "totp", "totp --name phone",
        "phone +390612345678", "phone", "totp 1", "--provider p scheme", "scheme --provider p --json", "scheme", "--audience notes",
        "--audience notes --app tool", "--audience", "p --scope a --scope b --param x=1=2 --param y=", "p --scope", "p --param x",
        "p --param a=1 --param a=2", "p --login-hint ada --timeout 2m --device --no-browser --app tool", "p --timeout 61m",
        "p --timeout 10",
        "password --email a@b.example", "p --email a@b.example", "anonymous", "anonymous --email a@b.example", "anonymous --device",
        "--email a@b.example --timeout 1m", "--env A=work -- true", "--env A=work --file B=demo --min-validity 10m -q -- sh -c --json",
        "--env A=work --env A=demo -- true", "--env A -- true", "--env 1=a -- true", "--env A=work true", "--env A=work --",
        "--file A=work -- -- x",
        "--env A=work --json -- true", "--min-validity 10 --env A=work -- true", "daemon.idle-exit never",
        "daemon.idle-exit never --config c",
        "https://a.example/?code=1&state=2", "-", "--refresh work",
        // A value that is missing is not found behind the next option.
        "--app --json tool", "--socket --json /run/s", "--socket --account a /run/s p", "--email --device a@b.example",
    ]

    static let names = CommandLineTests.commands.map(\.words) + ["login", "logout", "provider", "config", "bogus", "help", ""]

    @Test("means what the argument parser makes of it", arguments: names)
    func same(words: String) {
        for more in Self.arguments {
            let line = (words + " " + more).split(separator: " ").map(String.init)
            guard let plain = PlainCommands.command(in: line) else { continue }
            let parsed: Result<any ParsableCommand, any Error> = Result { try Postern.parseAsRoot(line) }
            guard case .success(let command) = parsed else {
                Issue.record("\(line) is refused by the argument parser")
                continue
            }
            // Every option shows its value, and says so where it has none.
            #expect("\(plain)" == "\(command)" && type(of: plain) == type(of: command), "\(line)")
            #expect(!"\(plain)".contains("*definition*"), "\(line)")
        }
    }

    /// What the argument parser knows of all commands; it takes a while to tell.
    static let help = try? JSON(parsing: Postern._dumpHelp()).objectValue?["command"]?.objectValue

    /// An ordinary line of each command that is read plainly, so that what it needs is there.
    static let ordinary = [
        "attach": "a", "call": "GetStatus", "cancel": "a", "config get": "k", "config set": "k v", "config unset": "k",
        "create-user": "a@b.example", "delete-user": "--yes", "exec": "--env A=p", "link": "p", "open-url": "https://a.example/",
        "provider check": "p", "provider show": "p", "reauthenticate": "p", "revoke": "p", "sasl": "oauthbearer p",
        "second-factor add": "totp", "second-factor remove": "a", "sign-in": "p", "token": "p", "unlink": "p",
        "update-user": "--name Ada", "url-scheme register": "s --provider p", "url-scheme remove": "s", "user-token": "--audience a",
    ]

    @Test(
        "an option whose value is missing takes none from behind the next one, whatever they are",
        arguments: Set(CommandLineTests.commands.map(\.words)).sorted())
    func missingValues(words: String) throws {
        var command = try #require(Self.help)
        for word in words.split(separator: " ") {
            let children = (command["subcommands"]?.arrayValue ?? []).compactMap(\.objectValue)
            command = try #require(children.first { $0["commandName"]?.stringValue == String(word) })
        }
        var options: [String] = []
        var names: [String] = []
        for argument in (command["arguments"]?.arrayValue ?? []).compactMap(\.objectValue)
        where argument["kind"]?.stringValue != "positional" {
            for name in (argument["names"]?.arrayValue ?? []).compactMap(\.objectValue) {
                let text = (name["kind"]?.stringValue == "long" ? "--" : "-") + (name["name"]?.stringValue ?? "")
                names.append(text)
                if argument["kind"]?.stringValue == "option" { options.append(text) }
            }
        }
        let start = words.split(separator: " ").map(String.init)
        let ordinary = (Self.ordinary[words] ?? "").split(separator: " ").map(String.init)
        let end = words == "exec" ? ["--", "true"] : []
        #expect(PlainCommands.type(of: start) == nil || PlainCommands.command(in: start + ordinary + end) != nil)
        for option in options {
            for name in names {
                // Fit for one option or another, and where more than one stands, for both.
                for word in ["x", "9m", "7", "A=b", "7 x", "x 9m"].map({ $0.split(separator: " ").map(String.init) }) {
                    for line in [start + [option, name] + word + ordinary, start + ordinary + [option, name] + word].map({ $0 + end }) {
                        let refused = "\(line) is refused by the argument parser"
                        if TokenRequest(plain: line) != nil { #expect(throws: Never.self, "\(refused)") { try Postern.parseAsRoot(line) } }
                        guard let plain = PlainCommands.command(in: line) else { continue }
                        #expect((try? Postern.parseAsRoot(line)).map { "\($0)" } == "\(plain)", "\(refused)")
                    }
                }
            }
        }
    }

    @Test(
        "an empty word is one, too",
        arguments: [["cancel", ""], ["config", "set", "key", ""], ["status", "--socket", ""], ["status", ""], [""]])
    func empty(line: [String]) {
        let parsed = try? Postern.parseAsRoot(line)
        #expect(PlainCommands.command(in: line).map { "\($0)" } == (parsed is any PlainCommand ? parsed.map { "\($0)" } : nil))
    }

    @Test("every command reads one by itself, but for those that are asked once in a while")
    func all() {
        for (words, type) in CommandLineTests.commands {
            let found = PlainCommands.type(of: words.split(separator: " ").map(String.init))
            if let found {
                #expect(found.0 == type && found.words == words.split(separator: " ").count)
            } else {
                // The first two are read before there is any command; curl's words are curl's.
                #expect(["token", "helper", "curl", "setup", "import", "demo", "provider certificate"].contains(words))
            }
        }
        #expect(PlainCommands.type(of: ["login"])?.0 == SignIn.self)
        #expect(PlainCommands.type(of: ["logout"])?.0 == SignOut.self)
    }

    /// The ordinary line of a command has to be plain: a word that none of its options takes would send it the long way unnoticed.
    @Test(
        "is found to be plain",
        arguments: [
            "status", "status --json", "status --socket /run/s", "credentials --json", "whoami --app tool", "sessions", "provider list",
            "provider show work --json", "provider check work", "sign-out", "monitor --json", "reload", "lock", "unlock", "doctor",
            "call GetStatus",
            "call ListSessions {} --json", "cancel a", "attach a --open", "revoke work --account 1", "user-token --audience notes",
            "open-url postern://x",
            "sign-in work --scope a --scope b", "login --email a@b.example", "link password", "reauthenticate p", "unlink password",
            "create-user a@b.example --name Ada", "update-user --name Ada", "delete-user --yes", "second-factor list",
            "second-factor add totp",
            "second-factor remove a", "config path", "config show --json", "config get key", "config set key value", "config unset key",
            "config edit", "url-scheme list", "url-scheme register s --provider p", "url-scheme remove s", "sasl xoauth2 work",
            "exec --env A=work -- true -x",
        ])
    func isPlain(line: String) {
        #expect(PlainCommands.command(in: line.split(separator: " ").map(String.init)) != nil)
    }

    @Test("what a shell asks for at TAB is answered without the argument parser, for every argument that names can stand for")
    func completions() throws {
        let help = try #require(Self.help)
        var asked = 0
        func check(_ command: JSONObject, _ words: [String]) {
            var position = 0
            for argument in (command["arguments"]?.arrayValue ?? []).compactMap(\.objectValue) {
                let isPositional = argument["kind"]?.stringValue == "positional"
                defer { if isPositional { position += 1 } }
                guard argument["completionKind"]?.objectValue?["custom"] != nil else { continue }
                let long = argument["preferredName"]?.objectValue?["name"]?.stringValue ?? ""
                let question =
                    ["---completion"] + words + ["--", isPositional ? "positional@\(position)" : "--\(long)", "1", "0", "postern", ""]
                #expect(CompletionQuestion(question) != nil, "\(question)")
                asked += 1
            }
            for child in (command["subcommands"]?.arrayValue ?? []).compactMap(\.objectValue) {
                check(child, words + [child["commandName"]?.stringValue ?? ""])
            }
        }
        check(help, [])
        #expect(asked > 10)
    }

    @Test("a cursor that is nowhere in the word is offered nothing, in every argument", arguments: ["token", "call", "bogus"])
    func cursors(command: String) {
        for cursor in ["-1", "2", "9223372036854775807", "-9223372036854775808"] {
            #expect(CompletionQuestion(["---completion", command, "--", "positional@0", "1", cursor, "postern", command, "d"])?.isNowhere == true)
            #expect(CompletionQuestion(["---completion", command, "--", "positional@0", "1", cursor])?.isNowhere == true)
        }
        #expect(CompletionQuestion(["---completion", "token", "--", "positional@0", "1", "1", "postern", "token", "d"])?.isNowhere == false)
    }

    @Test("the other names of commands are completed as the commands are", arguments: ["bash", "zsh", "fish"])
    func aliases(shell: String) throws {
        let script = try #require(CompletionScript.script(asked: ["--generate-completion-script", shell]))
        #expect(CompletionScript.script(asked: ["--generate-completion-script=\(shell)"]) == script)
        #expect(CompletionScript.aliases.map(\.alias).sorted() == ["login", "logout"])
        for (alias, command) in CompletionScript.aliases {
            let parts = shell == "fish" ? ["case '\(alias)'", "set unparsed_tokens[2] '\(command)'"] : ["|\(alias)|", "_postern_\(alias)() {"]
            for part in parts { #expect(script.contains(part)) }
        }
        #expect(CompletionScript.script(asked: ["--generate-completion-script", "csh"]) == nil)
    }

    @Test(
        "a question that is not whole is the argument parser's",
        arguments: [
            "---completion", "---completion token", "---completion token --", "---completion token -- positional@0",
            "---completion token -- positional@0 x 0",
            "---completion token -- positional@9 1 0", "---completion bogus -- positional@0 1 0", "token -- positional@0 1 0",
        ])
    func otherQuestions(line: String) {
        #expect(CompletionQuestion(line.split(separator: " ").map(String.init)) == nil)
    }
}
