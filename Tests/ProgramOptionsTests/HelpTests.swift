import StrictJSON
import Testing

@testable import ProgramOptions

@Suite("What a program says of its options")
struct HelpTests {
    @Test("The help has each option that is not hidden, its value and its default")
    func help() {
        let text = """
            OVERVIEW: Shows how it is done.

            A line that is longer than the eighty columns of a terminal of the usual width,
            and so goes on in the next one.

              exam-ple --config a-line-that-is-indented-stays-as-it-is --level low --seconds 30 --check --place /tmp

            USAGE: exam-ple [--config <file>] [--place <directory>] [--listen <address> ...]
                [--level <level>] [--seconds <seconds>] [--check]

            OPTIONS:
              --config <file>         The configuration file.
              --place <directory>     Where it keeps [what it] has: a directory's name.
              --listen <address>      May be given again.
              --level <level>         low or high.
              --seconds <seconds>     How long. (default: 30)
              --check                 Only looks.
              --version               Show the version.
              -h, --help              Show help information.


            """
        #expect(Example.table.help() == text)
        #expect(Example.table.help(width: 50).split(separator: "\n").allSatisfy { $0.count <= 50 || $0.hasPrefix("  exam-ple") })
    }

    @Test("The hidden options are shown to whoever asks for them")
    func hidden() {
        #expect(Example.text("--help-hidden")?.contains("  --secretly <secretly>\n") == true)
        #expect(!Example.table.help().contains("secretly"))
    }

    @Test("A long name has its own line, and long text goes on below its beginning")
    func layout() {
        let option = ProgramOption(
            "an-option-of-a-very-long-name", .text, named: "value",
            help: "Words enough for a second line, which begins where the first one does, and not at the margin.")
        let help = OptionTable(program: "p", abstract: "", discussion: "", version: nil, options: [option]).help()
        let lines = """
              --an-option-of-a-very-long-name <value>
                                      Words enough for a second line, which begins where the
                                      first one does, and not at the margin.

            """
        #expect(help.contains(lines))
    }

    @Test("The manual's description has every option in the form that packaging/manuals.py reads")
    func manual() throws {
        let document = try #require(JSON(parsing: Example.table.manual).objectValue)
        #expect(document["serializationVersion"] == 0)
        let command = try #require(document["command"]?.objectValue)
        #expect(command["commandName"] == "exam-ple" && command["abstract"] == "Shows how it is done.")
        #expect(command["discussion"] == .string(Example.table.discussion))
        let arguments = try #require(command["arguments"]?.arrayValue).compactMap(\.objectValue)
        func names(of argument: JSONObject) -> [String?] { argument["names"]?.arrayValue?.map { $0.objectValue?["name"]?.stringValue } ?? [] }
        #expect(
            arguments.map(names) == [
                ["config"], ["place"], ["listen"], ["level"], ["seconds"], ["check"], ["secretly"], ["version"], ["h", "help"],
            ])
        let listen: JSONObject = [
            "kind": "option", "names": [["kind": "long", "name": "listen"]], "preferredName": ["kind": "long", "name": "listen"],
            "abstract": "May be given again.", "isOptional": true, "isRepeating": true, "shouldDisplay": true, "valueName": "address",
        ]
        #expect(arguments[2] == listen)
        #expect(arguments[4]["defaultValue"] == "30" && arguments[5]["kind"] == "flag" && arguments[6]["shouldDisplay"] == false)
    }

    @Test("the help of a command has its arguments, and that of a group its commands with their other names")
    func commands() {
        let text = """
            USAGE: tree send <to> [<text>] [--now] [--copy <to> ...] --by <way>
                [--sign/--no-sign] [--port <number>] [--quiet]

            ARGUMENTS:
              <to>                    Whom.
              <text>                  What.

            OPTIONS:
              --now                   At once.
              --copy <to>             May be repeated.
              --by <way>              How.
              --sign/--no-sign        Sign it. (default: --sign)
              --port <number>         Where.
              -q, --quiet             Say nothing.
              --version               Show the version.
              -h, --help              Show help information.


            """
        #expect(Tree.text("send --help")?.hasSuffix(text) == true && Tree.text("help mail") == Tree.text("send -h"))
        let program = """
            USAGE: tree <subcommand>

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            MAIL SUBCOMMANDS:
              send, mail              Send it.

            OTHER SUBCOMMANDS:
              run                     Run it.
              box                     Boxes.

              See 'tree help <subcommand>' for detailed help.

            """
        #expect(Tree.text("")?.hasSuffix(program) == true)
        #expect(Tree.text("box")?.contains("\nSUBCOMMANDS:\n  open ") == true && Tree.text("box")?.contains("See 'tree help box <subcommand>'") == true)
    }

    @Test("The manual's description has the commands, each with its arguments")
    func commandsInManual() throws {
        let text = try #require(Tree.text("--experimental-dump-help"))
        let document = try #require(JSON(parsing: text).objectValue)
        let commands = try #require(document["command"]?.objectValue?["subcommands"]?.arrayValue).compactMap(\.objectValue)
        #expect(commands.map { $0["commandName"] } == ["send", "run", "box"] && commands[0]["aliases"] == ["mail"])
        let arguments = try #require(commands[0]["arguments"]?.arrayValue).compactMap(\.objectValue)
        #expect(
            arguments[0] == [
                "kind": "positional", "abstract": "Whom.", "isOptional": false, "isRepeating": false, "shouldDisplay": true, "valueName": "to",
            ])
        let sign = try #require(arguments[5]["names"]?.arrayValue).compactMap { $0.objectValue?["name"] }
        #expect(sign == ["sign", "no-sign"] && arguments[5]["defaultValue"] == "--sign" && arguments[4]["isOptional"] == false)
        let quiet = try #require(arguments[7]["names"]?.arrayValue).compactMap { $0.objectValue?["kind"] }
        #expect(quiet == ["short", "long"])
        let inner = try #require(commands[2]["subcommands"]?.arrayValue).compactMap(\.objectValue)
        #expect(inner.map { $0["commandName"] } == ["open"] && Tree.text("send --experimental-dump-help") == nil)
    }
}
