import PosternClient
import Testing

@testable import TestDaemon

@Suite("Where the socket is looked for")
struct SocketPathTests {
    @Test(
        "the environment decides, else the user's runtime directory",
        arguments: [
            (["POSTERN_SOCKET": "/s", "XDG_RUNTIME_DIR": "/r"], "/s"),
            (["POSTERN_SOCKET": "relative", "XDG_RUNTIME_DIR": "/r"], "relative"),
            (["POSTERN_SOCKET": "", "XDG_RUNTIME_DIR": "/r"], "/r/postern/io.postern"),
            (["XDG_RUNTIME_DIR": "/r"], "/r/postern/io.postern"),
            (["XDG_RUNTIME_DIR": "r"], "/run/user/7/postern/io.postern"),
            ([:], "/run/user/7/postern/io.postern"),
        ])
    func find(environment: [String: String], path: String) {
        #expect(SocketPath.find(userID: 7) { environment[$0] } == path)
    }
}
