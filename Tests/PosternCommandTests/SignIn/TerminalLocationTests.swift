import Testing

@testable import TestDaemon
@testable import postern

@Suite("Where the command runs")
struct PlaceTests {
    @Test(
        "a browser is opened only beside the person",
        arguments: [
            (["DISPLAY": ":0"], true),
            (["WAYLAND_DISPLAY": "wayland-0"], true),
            ([:], false),
            (["DISPLAY": ""], false),
            (["DISPLAY": "localhost:10.0", "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"], false),
            (["DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"], false),
        ])
    func browser(environment: [String: String], opens: Bool) {
        #expect(TerminalLocation(variable: { environment[$0] }).canOpenBrowser == opens)
    }

    @Test(
        "what encloses the command is told by its environment, or by a file",
        arguments: [
            (["WSL_DISTRO_NAME": "Debian"], "", TerminalLocation.Enclosure.wsl),
            (["WSL_INTEROP": "/run/WSL/1_interop"], "/.dockerenv", .wsl),
            (["container": "podman"], "", .container),
            ([:], "/run/.containerenv", .container),
            ([:], "/.dockerenv", .container),
            (["container": "", "WSL_DISTRO_NAME": ""], "", nil),
        ])
    func enclosure(environment: [String: String], file: String, enclosure: TerminalLocation.Enclosure?) {
        #expect(TerminalLocation(variable: { environment[$0] }, hasFile: { $0 == file }).enclosure == enclosure)
    }

    @Test("the address by which this machine was reached is told")
    func serverAddress() {
        let place = TerminalLocation(variable: { ["SSH_CONNECTION": "192.0.2.1 50000 2001:db8::2 2222"][$0] })
        #expect(place.remoteLogin == TerminalLocation.RemoteLogin(serverAddress: "2001:db8::2", serverPort: 2222))
    }

    @Test(
        "the ssh line forwards the port of the redirect",
        arguments: [
            ("http://127.0.0.1:7678/__/auth/handler", "192.0.2.1 5 host.example 22", "ssh -L 7678:127.0.0.1:7678 ada@host.example"),
            ("http://localhost:8080/x", "192.0.2.1 5 10.0.0.7 2222", "ssh -L 8080:127.0.0.1:8080 -p 2222 ada@10.0.0.7"),
            ("http://[::1]:7678/x", "192.0.2.1 5 10.0.0.7 22", "ssh -L 7678:[::1]:7678 ada@10.0.0.7"),
            ("http://127.0.0.1:7678/x", "", "ssh -L 7678:127.0.0.1:7678 ada@here"),
        ])
    func tunnel(redirectURI: String, connection: String, command: String) {
        let place = TerminalLocation(variable: { ["SSH_CONNECTION": connection][$0] })
        let advice = TunnelAdvice(redirectURI: redirectURI, user: "ada", remoteLogin: place.remoteLogin, hostName: "here")
        #expect(advice?.command == command)
    }

    @Test("a redirect to a custom scheme needs no tunnel")
    func customScheme() {
        for redirectURI in ["org.example.app:/callback", "https://app.example.com/__/auth/handler", "http://127.0.0.1.example/x"] {
            #expect(TunnelAdvice(redirectURI: redirectURI, user: "ada", remoteLogin: nil, hostName: "here") == nil)
        }
    }
}
