import Glibc
import Testing

@testable import PosternConfiguration

@Suite("A command as a unit of the service manager")
struct CommandUnitTests {
    let directory = PrivateDirectory()

    private func unit(_ command: [String], _ more: [String: String] = [:], version: String = "systemd 250 (250.4)") -> CommandUnit? {
        for tool in ["systemd-run", "systemctl", "pass"] { directory.write(tool, "#!/bin/sh\necho '\(version)'\necho +PAM\n", mode: 0o700) }
        let environment = [
            "SYSTEMD_EXEC_PID": "\(getpid())", "PATH": "\(directory.path):/nowhere", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "HUSH": "hunter2",
            "INVOCATION_ID": "1", "BASH_FUNC_x%%": "() { :; }",
        ]
        return CommandUnit(of: command, environment: environment.merging(more) { $1 }, timeout: .seconds(10))
    }

    @Test("The manager gets the words as they are, and of the variables only the names")
    func words() throws {
        let arguments = try #require(unit(["pass", "show", "$HOME", "a$$b", "${X}", "two words"])).arguments
        #expect(arguments.first == "\(directory.path)/systemd-run")
        #expect(arguments.drop { $0 != "--" } == ["--", "\(directory.path)/pass", "show", "$$HOME", "a$$$$b", "$${X}", "two words"])
        #expect(arguments.filter { $0.hasPrefix("--setenv") } == ["--setenv=DBUS_SESSION_BUS_ADDRESS", "--setenv=HUSH", "--setenv=PATH"])
        #expect(arguments.contains("--property=RuntimeMaxSec=10s") && !arguments.contains { $0.contains("hunter2") })
        // The manager logs it.
        #expect(!arguments.contains { $0.hasPrefix("--description") && $0.contains("show") })
    }

    @Test(
        "Without a manager, and for a program that it cannot be given, the program is a child",
        arguments: [
            ("pass", ["SYSTEMD_EXEC_PID": "1"]), ("pass", ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nowhere"]), ("pass", ["PATH": "/nowhere"]),
            ("missing", [:]), ("./pass", [:]),
        ] as [(String, [String: String])])
    func child(program: String, more: [String: String]) { #expect(unit([program], more) == nil) }

    @Test("An older manager, which wants the variables' values where others can read them, is given none", arguments: ["systemd 249 (249.11)", ""])
    func older(version: String) { #expect(unit(["pass"], version: version) == nil) }
}
