import ArgumentParser
import PosternClient
import Testing

@testable import postern

@Suite("The command line")
struct CommandLineTests {
    /// Every command that does something, by the words that lead to it.
    static let commands: [(words: String, type: any ParsableCommand.Type)] = collect(Postern.self, words: [])

    private static func collect(_ type: any ParsableCommand.Type, words: [String]) -> [(words: String, type: any ParsableCommand.Type)] {
        let children = type.configuration.subcommands + type.configuration.groupedSubcommands.flatMap(\.subcommands)
        if children.isEmpty { return [(words.joined(separator: " "), type)] }
        return children.flatMap { collect($0, words: words + [$0._commandName]) }
    }

    @Test("every help has examples that begin with the command itself", arguments: commands.map(\.words))
    func examples(words: String) throws {
        let type = try #require(Self.commands.first { $0.words == words }?.type)
        let help = Postern.helpMessage(for: type, columns: 200)
        #expect(help.contains("EXAMPLES"))
        #expect(help.contains("postern \(words)"))
    }

    @Test("every command says its name: ArgumentParser would make it from the type's, for all of them at every start")
    func names() {
        func unnamed(_ type: any ParsableCommand.Type) -> [String] {
            let configuration = type.configuration
            let children = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
            return (configuration.commandName == nil ? ["\(type)"] : []) + children.flatMap(unnamed)
        }
        #expect(unnamed(Postern.self) == [])
    }

    /// A longer line goes over to the next one at its very beginning, where the terminal is as wide as most are.
    @Test("an example fits a line of eighty columns", arguments: commands.map(\.words))
    func widths(words: String) throws {
        let type = try #require(Self.commands.first { $0.words == words }?.type)
        let lines = type.configuration.discussion.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("  ") && $0.count > 80 } == [])
    }

    @Test("a mistake on the command line is told as every other failure is")
    func usage() throws {
        let error = try #require(throws: (any Error).self) { try Postern.parseAsRoot(["token", "work", "--nope"]) }
        let words = try #require(Program.usage(error))
        #expect(words.hasPrefix("postern: ") && words.contains("--nope") && words.contains("Usage: postern token") && !words.contains("Error:"))
        let help = try #require(throws: (any Error).self) {
            var command = try Postern.parseAsRoot(["--help"])
            try command.run()
        }
        #expect(Program.usage(help) == nil)
    }

    @Test("the commands are those of the contract for this version")
    func contract() {
        #expect(
            Set(Self.commands.map(\.words)) == [
                "sign-in", "whoami", "sign-out", "link", "unlink", "reauthenticate", "create-user", "update-user", "delete-user",
                "second-factor list", "second-factor add", "second-factor remove", "token", "user-token", "credentials", "revoke", "helper",
                "exec", "curl", "sasl", "import",
                "sessions",
                "attach", "cancel", "open-url",
                "provider list",
                "provider show", "provider check", "provider certificate",
                "url-scheme register", "url-scheme remove", "url-scheme list",
                "status", "monitor", "reload", "doctor", "call", "demo",
                "lock", "unlock",
                "setup", "config path", "config show", "config get", "config set", "config unset", "config edit",
            ])
    }

    @Test("the options of sign-in become the parameters of the call")
    func signIn() throws {
        let line = "sign-in p --scope a --scope b --param x=1=2 --param y= --login-hint ada --timeout 2m --device --app tool"
        let command = try #require(try Postern.parseAsRoot(line.split(separator: " ").map(String.init)) as? SignIn)
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
        let command = try #require(try Postern.parseAsRoot(line.split(separator: " ").map(String.init)) as? any ProvingCommand)
        #expect(command.proof.way(app: command.common.app) == way)
    }

    @Test(
        "wrong usage is refused before anything is asked",
        arguments: [
            "sign-in", "sign-in p --param x", "sign-in p --param =x", "sign-in p --param a=1 --param a=2", "sign-in p --timeout 0s",
            "sign-in p --timeout 61m", "sign-in p --timeout 10", "token p --min-validity x", "bogus", "provider bogus", "cancel",
            "user-token", "user-token notes", "import", "import bogus", "import oama x --as A", "import pizauth --password-file p",
            "import pizauth --provider p --issuer https://a.example",
        ])
    func wrongUsage(line: String) {
        #expect { try Postern.parseAsRoot(line.split(separator: " ").map(String.init)) } throws: { error in
            Postern.exitCode(for: error).rawValue == CommandStatus.wrongUsage.rawValue
        }
    }
}
