import Testing

@testable import VarlinkServer

@Suite("The unit of a process")
struct ControlGroupTests {
    @Test(
        "the innermost service or scope of the control group is the unit",
        arguments: [
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.gnome.Terminal.slice/vte-spawn-1.scope\n", "vte-spawn-1.scope"),
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/backup.service\n", "backup.service"),
            ("0::/user.slice/user-1000.slice/session-2.scope\n", "session-2.scope"),
            ("0::/system.slice/a.service/nested/group\n", "a.service"),
            ("12:cpu:/x\n1:name=systemd:/user.slice/session-3.scope\n0::/\n", "session-3.scope"),
            ("0::/user.slice/colon:in.scope\n", "colon:in.scope"),
        ])
    func unit(text: String, expected: String) { #expect(ControlGroup.unit(in: text) == expected) }

    @Test("no unit is found where there is none", arguments: ["", "0::/\n", "0::/init\n", "garbage", "0:", "::::\n", "0::/../..\n"])
    func none(text: String) { #expect(ControlGroup.unit(in: text) == nil) }
}
