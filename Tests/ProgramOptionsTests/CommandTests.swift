import Testing

@testable import ProgramOptions

@Suite("Reading a command line with commands")
struct CommandTests {
    @Test("Options and arguments are read in any order, and the last of two counts")
    func send() throws {
        var send = Send(to: "ada", way: "air")
        #expect(Tree.command("send ada --by air") as? Send == send)
        send.text = ""
        (send.now, send.copies, send.isSigned, send.port, send.quiet) = (true, ["x", "-y"], false, 7, true)
        #expect(Tree.command("mail --by=sea -q ada --by air --copy x --copy=-y --now --sign --no-sign --port 7 ''") as? Send == send)
        (send.text, send.isSigned) = ("-", true)
        #expect(Tree.command("send -qq --now --no-sign --copy x --copy=-y --sign --port=7 --by air -- ada -") as? Send == send)
    }

    @Test("The words of another program are taken as they are")
    func others() throws {
        #expect(try #require(Tree.command("run -- --help -- x") as? Run).words == ["--help", "--", "x"])
        #expect(try #require(Tree.command("run --browser a --help -- x") as? Run).browser == ["a", "--help", "--", "x"])
        #expect(try #require(Tree.command("run --browser=a -x") as? Run).browser == ["a", "-x"])
        #expect(try #require(Tree.command("box open k --help -- -x") as? Open).words == ["--help", "--", "-x"])
    }

    @Test(
        "What is wrong is said of the command",
        arguments: [
            ("send --by air", "<to> is missing"), ("send ada", "the option --by <way> is missing"), ("send ada b c --by air", "unexpected argument 'c'"),
            ("send ada --by land", "--by 'land': give one of air, sea"), ("send ada --by air --copy eve", "--copy 'eve': not her"),
            ("send ada --by air --copy ''", "--copy is empty"), ("send ada --by -q", "--by needs a value"), ("send ada --by", "--by needs a value"),
            ("send ada --by -Zx", "--by needs a value; if '-Zx' is the value, write --by=-Zx"), ("send ada --by --copy=eve", "--by needs a value"),
            ("send ada --by sea --now", "by sea it takes a while"), ("send -qx ada --by air", "there is no option '-qx'"),
            ("send ada --by air --port 100", "--port '100': give a number from 1 to 99"), ("send ada --no-now --by air", "there is no option '--no-now'"),
            ("run x", "unexpected argument 'x'"), ("run --browser", "--browser needs a value"), ("box open", "<key> is missing"),
            ("bxo", "there is no command 'bxo'; did you mean 'box'?"), ("mial", "there is no command 'mial'; did you mean 'mail'?"),
            ("box shut", "there is no command 'shut'; tree box --help lists them"), ("--nope", "there is no option '--nope'"),
            ("help nope", "there is no command 'nope'; tree --help lists them"),
            ("post letter now", "there is no command 'post letter'; tree send sends"), ("post box", "there is no command 'post'; tree send sends"),
            ("box post", "there is no command 'post'; tree box --help lists them"), ("version --quiet", "there is no command 'version'; tree --version"),
            ("-v send", "there is no option '-v'"),
        ])
    func refused(line: String, sentence: String) {
        #expect(Tree.refusal(line) == sentence)
    }

    @Test("Help can be requested in every usual way", arguments: ["help box open", "box help open", "box open -h", "box open --help"])
    func help(line: String) throws {
        #expect(try #require(Tree.text(line)).hasPrefix("OVERVIEW: Open it.\n\nUSAGE: tree box open <key> [<word> ...]\n"))
        #expect(Tree.text("help") == Tree.text("--help") && Tree.text("send --version") == "1.2.3\n")
        #expect(Tree.text("send --generate-completion-script bash") == nil && Tree.text("--generate-completion-script=bash") != nil)
    }

    @Test("The version options of other programs work, too", arguments: ["--version", "version", "-v", "-V"])
    func version(line: String) { #expect(Tree.text(line) == "1.2.3\n") }

    @Test("Random words never trap")
    func random() {
        let pieces = ["send", "run", "box", "open", "help", "--", "-", "=", "--by", "--copy", "--browser", "-q", "air", "é", "''", "\u{0301}", "--sign"]
        for _ in 0..<2000 {
            let line = (0..<Int.random(in: 0...6)).map { _ in (0..<Int.random(in: 0...2)).map { _ in pieces.randomElement() ?? "" }.joined() }
            _ = Tree.table.command(in: line, width: Int.random(in: -1...200))
            for shell in ["bash", "zsh", "fish"] {
                let index = "\(Int.random(in: -1...7))"
                _ = Tree.table.completion(["---completion", shell, index] + (shell == "bash" ? [line.joined(separator: " ")] : []) + ["tree"] + line)
            }
        }
    }
}
