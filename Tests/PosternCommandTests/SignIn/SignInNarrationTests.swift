import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("What is reported while a sign-in goes on")
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

    @Test("on a terminal the address is held back until the user has waited a while, and told once")
    func heldBack() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        #expect(narration.waiting == "asking GitHub …")
        #expect(narration.lines(for: Self.event(.authorizationPending)).isEmpty)
        #expect(narration.waiting == "waiting for you at GitHub, in the browser …")
        #expect(narration.waitedAWhile() == ["If no page opens, open this one:", "  " + Self.url])
        #expect(narration.waitedAWhile().isEmpty)
        #expect(narration.lines(for: Self.event(.authorizationPending)).isEmpty)
    }

    @Test("a browser that could not be started is reported at once, with the address, and once", arguments: [true, false])
    func browserProblem(isInteractive: Bool) {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: isInteractive)
        _ = narration.lines(for: Self.event(.authorizationPending))
        var event = Self.event(.authorizationPending)
        event.pageProblem = "no such program: firefux"
        let lines = narration.lines(for: event)
        #expect(lines.first == "no browser could be started: no such program: firefux" && lines.contains("  " + Self.url))
        #expect(narration.lines(for: event).isEmpty && narration.waitedAWhile().isEmpty)
    }

    @Test("what a server demanded is told before the page, each scope once", arguments: [[], ["read"], ["read", "admin"]])
    func scopes(told: [String]) throws {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: false, toldScopes: told)
        var event = Self.event(.authorizationPending)
        event.scopes = ["read", "admin"]
        let lines = narration.lines(for: event)
        let news = ["read", "admin"].filter { !told.contains($0) }
        #expect(lines.filter { $0.contains("asks for") } == (news.isEmpty ? [] : ["GitHub asks for: \(news.joined(separator: ", "))"]))
        if !news.isEmpty { #expect(lines.first?.contains("asks for") == true && lines.contains("  " + Self.url)) }
        event.scopes?.append("delete")
        #expect(narration.lines(for: event) == ["GitHub asks for: delete"])
        #expect(narration.lines(for: event).isEmpty)
    }

    @Test("an address that is no longer needed is not told")
    func notNeeded() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        _ = narration.lines(for: Self.event(.authorizationPending))
        _ = narration.lines(for: Self.event(.exchanging))
        #expect(narration.waitedAWhile().isEmpty)
        #expect(narration.waiting == "finishing with GitHub …")
    }

    @Test("without a terminal every change is reported in a line, at once and only once")
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

    @Test("a wait for a page whose address is no longer known is told, once", arguments: [elsewhere, .browserHere])
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

    @Test("on a terminal that can, the addresses of pages are links to themselves")
    func links() {
        let link = "  \u{1B}]8;;\(Self.url)\u{1B}\\\(Self.url)\u{1B}]8;;\u{1B}\\"
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true, terminal: Self.terminal)
        #expect(narration.lines(for: Self.event(.authorizationPending)).contains(link))
        #expect(narration.address()?.contains(link) == true)
        let pipe = Terminal(standardErrorIsTerminal: false, standardOutputIsTerminal: true, variable: { ["TERM": "xterm"][$0] })
        narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: false, terminal: pipe)
        #expect(narration.lines(for: Self.event(.authorizationPending)).contains("  " + Self.url))
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

    private static func deviceEvent(url: String? = nil, complete: String? = nil) -> SignInEvent {
        var event = event(.authorizationPending, url: url)
        event.verificationURI = "https://provider.example/device"
        event.verificationURIComplete = complete
        event.userCode = "ABCD-1234"
        return event
    }

    private static let terminal = Terminal(standardErrorIsTerminal: true, standardOutputIsTerminal: true, variable: { ["TERM": "xterm"][$0] })

    @Test("on a terminal the code stands in a frame, and a QR code has the page with the code in it where there is one")
    func drawn() throws {
        for complete in [nil, "https://provider.example/device?user_code=ABCD-1234"] {
            var narration = SignInNarration(
                providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true, terminal: Self.terminal)
            let lines = narration.lines(for: Self.deviceEvent(complete: complete))
            #expect(lines.contains("  │  \u{1B}[1mABCD-1234\u{1B}[0m  │"))
            let code = try #require(QRCode(complete ?? "https://provider.example/device"))
            let drawn = QRText.lines(for: code, style: .coloured)
            #expect(lines.filter { $0.contains("38;5;231") } == drawn)
            #expect(lines.last == "Waiting until 2026-11-21T06:24:00Z.")
            #expect(narration.waiting == "waiting for you at GitHub …")
        }
    }

    @Test("nothing is drawn off a terminal, nor on one that shows nothing but lines", arguments: ["xterm", "dumb"])
    func told(name: String) {
        let terminal = Terminal(
            standardErrorIsTerminal: name == "dumb", standardOutputIsTerminal: true, variable: { ["TERM": name][$0] })
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: false, terminal: terminal)
        let lines = narration.lines(for: Self.deviceEvent())
        #expect(lines.contains("Open this page on any device, and type the code ABCD-1234 there:"))
        #expect(!lines.contains { $0.contains("█") || $0.contains("\u{1B}") })
        #expect(narration.lines(for: Self.event(.exchanging)) == ["answered; finishing with GitHub"])
    }

    @Test("a code that comes later is told beside the page, once, and its end is told")
    func laterCode() {
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: false)
        _ = narration.lines(for: Self.event(.authorizationPending))
        let both = Self.deviceEvent(url: Self.url)
        #expect(narration.lines(for: both).contains { $0.contains("ABCD-1234") })
        #expect(narration.lines(for: both).isEmpty)
        #expect(narration.lines(for: Self.event(.authorizationPending)) == ["The code has expired. The page still waits."])
        #expect(narration.lines(for: both).contains { $0.contains("ABCD-1234") })
    }

    @Test("a page that comes later is told beside the code")
    func laterPage() {
        var narration = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true)
        #expect(narration.lines(for: Self.deviceEvent()).contains { $0.contains("ABCD-1234") })
        #expect(narration.address() == nil)
        let lines = narration.lines(for: Self.deviceEvent(url: Self.url))
        #expect(lines.contains("  " + Self.url) && !lines.contains { $0.contains("ABCD-1234") })
        #expect(narration.address()?.contains("  " + Self.url) == true)
    }

    @Test("the next flow is offered if the provider has it: by a key on a terminal, else by the option")
    func offers() {
        func told(_ flows: [Provider.Flow], takesKeys: Bool, _ event: SignInEvent, command: String? = nil) -> [String] {
            var narration = SignInNarration(
                providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true, deviceCommand: command)
            narration.offers = .init(flows: flows, takesKeys: takesKeys)
            return narration.lines(for: event).filter { $0.hasPrefix("Or ") && !$0.contains("page's whole address") }
        }
        let page = Self.event(.authorizationPending)
        #expect(told([.browser, .device], takesKeys: true, page) == ["Or press d and Enter for a code to type on another device."])
        #expect(told([.browser, .device], takesKeys: false, page) == ["Or start with --device, for a code to type on another device."])
        // A command without such an option names the one that has it.
        let other = "postern sign-in work --device"
        #expect(
            told([.browser, .device], takesKeys: false, page, command: other)
                == ["Or run postern sign-in work --device, for a code to type on another device."])
        #expect(told([.browser], takesKeys: true, page).isEmpty)
        let code = Self.deviceEvent()
        #expect(told([.browser, .device], takesKeys: true, code) == ["Or press u and Enter for the address of a page to sign in with."])
        #expect(told([.browser, .device], takesKeys: false, code).isEmpty)
        #expect(told([.device], takesKeys: true, code).isEmpty)
        // The address stands there already.
        #expect(told([.browser, .device], takesKeys: true, Self.deviceEvent(url: Self.url)).isEmpty)
    }

    @Test("a user who asks for the address on a terminal is shown it at once, and not again")
    func askedFor() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        _ = narration.lines(for: Self.event(.authorizationPending))
        #expect(narration.address()?.contains("  " + Self.url) == true)
        #expect(narration.waitedAWhile().isEmpty)
    }

    @Test("the moving line counts the time that is left, and says that there are keys")
    func countdown() throws {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        let now = try #require(EpochTime("2026-11-21T06:14:18Z"))
        #expect(narration.status(now: now) == "asking GitHub …")
        _ = narration.lines(for: Self.event(.authorizationPending))
        #expect(narration.status(now: now) == "waiting for you at GitHub, in the browser … 9:42 left")
        narration.offers.hasKeyboard = true
        #expect(narration.status(now: now) == "waiting for you at GitHub, in the browser … 9:42 left (? and Enter: keys)")
        let later = try #require(EpochTime("2026-11-21T06:24:01Z"))
        #expect(narration.status(now: later) == "waiting for you at GitHub, in the browser … (? and Enter: keys)")
        _ = narration.lines(for: Self.event(.exchanging))
        #expect(narration.status(now: now) == "finishing with GitHub …")
        _ = narration.lines(for: Self.event(.completed))
        #expect(narration.status(now: now) == nil)
    }

    @Test("the keys that do something are told, and no others")
    func keyList() {
        var narration = SignInNarration(providerName: "GitHub", presentation: .browserHere, isInteractive: true)
        func letters() -> [String] { narration.keys.dropFirst().map { String($0.dropFirst(2).prefix { $0 != " " }) } }
        #expect(letters() == ["?", "Ctrl-C"])
        _ = narration.lines(for: Self.event(.authorizationPending))
        #expect(letters() == ["u", "?", "Ctrl-C"])
        narration.offers = .init(flows: [.browser, .device], takesKeys: true, hasKeyboard: true)
        #expect(letters() == ["d", "u", "?", "Ctrl-C"])
        var far = SignInNarration(providerName: "GitHub", presentation: Self.elsewhere, isInteractive: true)
        far.offers.hasKeyboard = true
        #expect(far.keys.last?.contains("paste") == true)
        #expect(far.lines(for: Self.event(.authorizationPending)).last == "Waiting until 2026-11-21T06:24:00Z; ? and Enter shows the keys.")
    }

    @Test("in WSL there is no ssh line, and in a container it is told why a tunnel is needed")
    func enclosures() {
        func lines(_ enclosure: TerminalLocation.Enclosure) -> [String] {
            var narration = SignInNarration(
                providerName: "GitHub",
                presentation: .elsewhere(userAtHost: .init(user: "ada", hostName: "here", enclosure: enclosure), takesPastes: true),
                isInteractive: true)
            return narration.lines(for: Self.event(.authorizationPending))
        }
        #expect(!lines(.wsl).contains { $0.contains("ssh ") } && lines(.wsl).contains { $0.contains("Windows") })
        #expect(lines(.wsl).contains { $0.contains("paste") })
        #expect(lines(.container).contains { $0.contains("container") } && lines(.container).contains { $0.contains("ssh -L") })
    }

    @Test(
        "keys are single letters; anything else is what it is",
        arguments: [("d", FlowKey.device), ("U", .address), ("?", .help), ("??", nil), ("du", nil), ("", nil), ("https://x/", nil)])
    func keys(line: String, key: FlowKey?) {
        #expect(FlowKey(line: line) == key)
    }
}
