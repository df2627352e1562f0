import PosternInterface
import Testing

@testable import postern

@Suite("What is told while a sign-in goes on")
struct SignInNarrationTests {
    static let url = "https://provider.example/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler"

    static func event(_ state: SignInEvent.State, url: String? = url) -> SignInEvent {
        SignInEvent(sessionID: "s", state: state, expiresAt: "2026-11-21T06:24:00Z", authorizationURL: url)
    }

    static let elsewhere = elsewhere(takesPastes: true)

    static func elsewhere(takesPastes: Bool) -> SignInNarration.Presentation {
        .elsewhere(
            userAtHost: .init(user: "ada", hostName: "here", remoteLogin: .init(serverAddress: "host.example", serverPort: 22)),
            takesPastes: takesPastes)
    }

    @Test("on a terminal the address is held back until the person has waited a while, and told once")
    func heldBack() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        #expect(narration.waiting == "asking GitHub …")
        #expect(narration.lines(for: Self.event(.authorizationPending)).isEmpty)
        #expect(narration.waiting == "waiting for you at GitHub, in the browser …")
        #expect(narration.waitedAWhile() == ["If no page opens, open this one:", "  " + Self.url])
        #expect(narration.waitedAWhile().isEmpty)
        #expect(narration.lines(for: Self.event(.authorizationPending)).isEmpty)
    }

    @Test("an address that is not needed any more is not told")
    func notNeeded() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        _ = narration.lines(for: Self.event(.authorizationPending))
        _ = narration.lines(for: Self.event(.exchanging))
        #expect(narration.waitedAWhile().isEmpty)
        #expect(narration.waiting == "finishing with GitHub …")
    }

    @Test("off a terminal every change is told in a line, at once and once")
    func lineAChange() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: false)
        let first = narration.lines(for: Self.event(.authorizationPending))
        #expect(first.contains("  " + Self.url))
        #expect(first.last == "Waiting until 2026-11-21T06:24:00Z.")
        #expect(narration.lines(for: Self.event(.authorizationPending)).isEmpty)
        #expect(narration.lines(for: Self.event(.exchanging)) == ["the browser came back; finishing with GitHub"])
        #expect(narration.lines(for: Self.event(.exchanging)).isEmpty)
        #expect(narration.lines(for: Self.event(.completed)).isEmpty)
        #expect(narration.waiting == nil)
    }

    @Test("far from the browser the address and the ssh line are told")
    func farAway() {
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true)
        let lines = narration.lines(for: Self.event(.authorizationPending))
        #expect(lines.contains("  " + Self.url))
        #expect(lines.contains("  ssh -L 7678:127.0.0.1:7678 ada@host.example"))
    }

    @Test("where the redirect's port is not known there is no ssh line, and pasting is still told")
    func noTunnel() {
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true)
        let lines = narration.lines(for: Self.event(.authorizationPending, url: "https://provider.example/authorize"))
        #expect(!lines.contains { $0.contains("ssh ") })
        #expect(lines.contains { $0.contains("paste") })
    }

    @Test("where nothing can be pasted it is told what else takes the address", arguments: [url, "https://provider.example/authorize"])
    func noPaste(url: String) {
        var narration = SignInNarration(
            providerName: "GitHub", presentation: Self.elsewhere(takesPastes: false), isInteractive: false,
            timeoutAdvice: "--timeout says how long")
        let lines = narration.lines(for: Self.event(.authorizationPending, url: url))
        #expect(lines.contains("  " + url))
        #expect(!lines.contains { $0.contains("paste") })
        #expect(lines.contains { $0.hasSuffix("postern open-url -") })
        #expect(lines.last == "Waiting until 2026-11-21T06:24:00Z; --timeout says how long.")
    }

    @Test("a wait for a page whose address is not known any more is told, once", arguments: [elsewhere, .browserHere])
    func pageless(presentation: SignInNarration.Presentation) {
        var narration = SignInNarration(providerName: "GitHub", presentation: presentation, isInteractive: false)
        #expect(
            narration.lines(for: Self.event(.authorizationPending, url: nil)) == [
                "waiting for you at GitHub, on the page that was opened before", "Waiting until 2026-11-21T06:24:00Z.",
            ])
        #expect(narration.lines(for: Self.event(.authorizationPending, url: nil)).isEmpty)
        #expect(narration.lines(for: Self.event(.authorizationPending)).contains("  " + Self.url))
    }

    @Test("a new page of the same sign-in is told again")
    func newPage() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: false)
        _ = narration.lines(for: Self.event(.authorizationPending))
        #expect(
            narration.lines(for: Self.event(.authorizationPending, url: "https://provider.example/other"))
                .contains("  https://provider.example/other"))
    }

    @Test("a code to type elsewhere is told with its page")
    func device() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        var event = Self.event(.authorizationPending, url: nil)
        event.verificationURI = "https://provider.example/device"
        event.userCode = "ABCD-1234"
        let lines = narration.lines(for: event)
        #expect(lines.contains { $0.contains("ABCD-1234") })
        #expect(lines.contains("  https://provider.example/device"))
    }
}
