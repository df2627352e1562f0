import PosternConfiguration
import Testing

@Suite("[attention] in the configuration")
struct AttentionTests {
    @Test("Without the section a notification is shown, once a day, three days before an end")
    func defaults() throws {
        let attention = try Reading.read("").attention
        #expect(attention.notifies && attention.command == nil)
        #expect(attention.remindEvery == .seconds(86_400) && attention.warnBefore == .seconds(3 * 86_400))
    }

    @Test("All of it")
    func all() throws {
        let attention = try Reading.read(
            "[attention]\nnotify = false\ncommand = [\"notify-me\", \"--quietly\"]\nremind-every = \"12h\"\nwarn-before = \"0s\""
        ).attention
        #expect(!attention.notifies && attention.command == ConfiguredCommand(arguments: ["notify-me", "--quietly"], timeout: .seconds(30)))
        #expect(attention.remindEvery == .seconds(12 * 3600) && attention.warnBefore == .zero)
    }

    @Test(
        "What is refused, and why",
        arguments: [
            ("notify = \"yes\"", "notify in [attention] must be true or false, not a string"),
            ("command = []", "command in [attention] names no program; leave it out to run none"),
            ("command = \"notify-send\"", "command in [attention] must be a list of strings, not a string"),
            ("remind-every = \"1s\"", "remind-every in [attention] must be from \"1m\" to \"30d\", not \"1s\""),
            ("warn-before = \"91d\"", "warn-before in [attention] must be from \"0s\" to \"90d\", not \"91d\""),
            ("warn-before = \"3w\"", "warn-before in [attention] must be a number with s, m, h or d, such as \"90s\", \"10m\" or \"1h\", not \"3w\""),
        ])
    func refused(_ line: String, _ message: String) {
        #expect { try Reading.read("[attention]\n\(line)") } throws: { error in
            guard let error = error as? ConfigurationError else { return false }
            return error.line == 2 && error.message == message
        }
    }

    @Test("A misspelt key is met with the right one")
    func spelling() {
        #expect { try Reading.read("[attention]\nremind-evry = \"1d\"") } throws: { error in
            (error as? ConfigurationError).map { $0.line == 2 && $0.message.contains("remind-every") } ?? false
        }
    }
}
