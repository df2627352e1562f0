import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

/// The widths are a phone's, half a screen, the usual terminal and a wide one.
@Suite("What fits a terminal")
struct WidthTests {
    static let widths = [30, 50, 80, 200]

    private static let credentials = [
        Interface.StoredCredential(
            providerID: "github.com", uid: "583231", displayName: "Ada Lovelace", email: "ada@example.com", account: "work",
            scopes: ["openid", "email", "profile", "offline_access", "https://api.example/read"], expiresAt: "2026-11-22T06:24:00Z",
            refreshable: true, state: .good),
        Interface.StoredCredential(
            providerID: "x.com", uid: "2", scopes: [], refreshable: false, state: .signInNeeded),
    ]

    @Test("credentials are rows where they fit, else a paragraph each, and say the same", arguments: widths)
    func credentials(width: Int) {
        let lines = CredentialText.lines(for: Self.credentials, width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect(lines[0].hasPrefix("PROVIDER") == (width == 200))
        for text in ["583231", "ada@example.com", "2026-11-22T06:24:00Z", "sign in", "https://api.example/read"] {
            #expect(lines.joined(separator: "\n").contains(text))
        }
    }

    private static var status: Table {
        var table = Table()
        table.add("version", "0.1.0")
        table.add("callbacks at", "http://127.0.0.1:7678")
        table.add("sign-ins under way", "0")
        table.add("problem", "port 7678 is held by another program; answers of providers that need it do not arrive")
        return table
    }

    @Test("facts go on below their beginning, or below their name", arguments: widths)
    func facts(width: Int) {
        let lines = Self.status.facts(within: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect(lines[0] == "version             0.1.0")
        #expect(lines.contains { $0.hasSuffix("http://127.0.0.1:7678") })
        let words = lines.flatMap { $0.split(separator: " ") }
        #expect(words == Self.status.lines.flatMap { $0.split(separator: " ") })
    }

    @Test("facts of a narrow terminal stand below their names")
    func narrowFacts() {
        #expect(
            Self.status.facts(within: 30) == [
                "version             0.1.0", "callbacks at", "  http://127.0.0.1:7678", "sign-ins under way  0", "problem",
                "  port 7678 is held by another", "  program; answers of", "  providers that need it do", "  not arrive",
            ])
        #expect(
            Self.status.facts(within: 50).suffix(3) == [
                "problem             port 7678 is held by another", "                    program; answers of providers",
                "                    that need it do not arrive",
            ])
    }

    @Test("a word that is longer than a line stays whole, to be copied")
    func longWord() {
        var table = Table()
        table.add("callbacks at", "https://sign-in.example.com/__/auth/handler")
        #expect(table.facts(within: 30) == ["callbacks at", "  https://sign-in.example.com/__/auth/handler"])
        #expect(Prose.lines(of: "see https://sign-in.example.com/__/auth/handler there", width: 20).count == 3)
    }

    @Test("sentences break between words, and lose none", arguments: widths)
    func prose(width: Int) {
        let text = "Or, if the browser ends at a page that does not load, paste that page's whole address here and press Enter."
        let lines = Prose.wrapped(text, width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect(lines.joined(separator: " ") == text)
        #expect(Prose.wrapped(text, width: nil) == [text])
    }

    @Test("addresses, commands and pictures stay on their line", arguments: ["  ssh -L 7678:127.0.0.1:7678 ada@host.example", "\u{1B}[1mbold words of a picture\u{1B}[0m", ""])
    func asItIs(line: String) {
        #expect(Prose.wrapped(line, width: 10) == [line])
    }

    @Test("the moving line leaves room for a key before the edge", arguments: widths)
    func movingLine(width: Int) {
        let text = "waiting for you at GitHub, in the browser … 9:42 left (? and Enter: keys)"
        #expect(StatusLine.fitted(text, to: width).columns <= width - 6)
        #expect(StatusLine.fitted(text, to: 200) == text && StatusLine.fitted(text, to: nil) == text)
    }

    @Test("the time that is left stays in the moving line, however narrow", arguments: widths)
    func countdown(width: Int) throws {
        var narration = SignInNarration(
            providerName: "GitHub", presentation: .browserHere, isInteractive: true, terminal: Self.terminal(width))
        narration.offers.hasKeyboard = true
        _ = narration.lines(for: SignInEvent(sessionID: "s", state: .authorizationPending, expiresAt: "2026-11-21T06:24:00Z"))
        let now = try #require(EpochTime("2026-11-21T06:14:18Z"))
        let line = try #require(narration.status(now: now))
        #expect(line.contains("9:42 left") && StatusLine.fitted(line, to: width) == line)
    }

    @Test("what was found goes on below its beginning", arguments: widths)
    func findings(width: Int) {
        let finding = Finding.warn("providers", "none is ready to sign in with", fix: "postern setup leads through it")
        let lines = finding.lines(terminal: Self.terminal(width), width: width)
        #expect(lines.allSatisfy { $0.columns <= width } && lines[0].hasPrefix("warn  providers: "))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("      ") } && lines.contains { $0.hasPrefix("      fix: ") })
    }

    private static func terminal(_ width: Int?, height: Int? = nil) -> Terminal {
        Terminal(
            standardErrorIsTerminal: true, standardOutputIsTerminal: true, width: width, height: height,
            variable: { ["TERM": "xterm", "NO_COLOR": "1"][$0] })
    }

    private static var code: SignInEvent {
        var event = SignInEvent(sessionID: "s", state: .authorizationPending, expiresAt: "2026-11-22T06:24:00Z")
        event.verificationURI = "https://example.org/device"
        event.verificationURIComplete = "https://example.org/device?user_code=WDJB-MJHT"
        event.userCode = "WDJB-MJHT"
        return event
    }

    @Test("a QR code is drawn where there is room for it, and the code to type is shown in any case", arguments: [20] + widths)
    func picture(width: Int) throws {
        let lines = try #require(DeviceWords(Self.code)).lines(on: Self.terminal(width)).flatMap { Prose.wrapped($0, width: width) }
        let side = try #require(QRCode("https://example.org/device?user_code=WDJB-MJHT")).size + 8
        let isDrawn = lines.contains { $0.contains("█") }
        #expect(isDrawn == (side <= width))
        #expect(lines.contains { $0.contains("WDJB-MJHT") })
        #expect(lines.filter { !$0.contains("://") }.allSatisfy { $0.columns <= width })
        #expect(lines.joined(separator: " ").contains("needs a terminal of \(side) columns") != isDrawn)
    }

    @Test("a QR code is drawn only where it leaves the screen to the words around it")
    func height() throws {
        let words = try #require(DeviceWords(Self.code))
        // Without the lines that follow: what else can be done, how long it is waited for, and the moving one.
        let drawn = words.lines(on: Self.terminal(80)).count + 3
        #expect(words.lines(on: Self.terminal(80, height: drawn)).contains { $0.contains("█") })
        let small = words.lines(on: Self.terminal(80, height: drawn - 1))
        #expect(!small.contains { $0.contains("█") } && small.count < 24)
        #expect(small.contains { $0.hasSuffix("columns and \(drawn) rows.") } && small.contains { $0.contains("WDJB-MJHT") })

        let reply = Interface.EnrollSecondFactor.Reply(
            enrollmentID: "e", secret: "JBSWY3DPEHPK3PXP", provisioningURI: "otpauth://totp/Postern:ada%40example.com?secret=JBSWY3DPEHPK3PXP")
        func enrolment(_ height: Int?) -> [String] {
            EnrollmentText.lines(for: reply, number: nil, on: Self.terminal(80, height: height))
        }
        let rows = enrolment(nil).count + 1
        #expect(enrolment(rows) == enrolment(nil))
        #expect(enrolment(rows - 1).contains { $0.hasSuffix("columns and \(rows) rows.") })
        #expect(enrolment(24).contains("  JBSW Y3DP EHPK 3PXP") && !enrolment(24).contains { $0.contains("█") })
    }

    @Test("a terminal that does not say how wide it is has the QR code")
    func unknownWidth() throws {
        #expect(try #require(DeviceWords(Self.code)).lines(on: Self.terminal(nil)).contains { $0.contains("█") })
    }

    @Test("a factor that does not fit as a picture is told as its secret", arguments: widths)
    func enrolment(width: Int) {
        let reply = Interface.EnrollSecondFactor.Reply(
            enrollmentID: "e", secret: "JBSWY3DPEHPK3PXPJBSWY3DP",
            provisioningURI: "otpauth://totp/Postern:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DP&issuer=Postern")
        let lines = EnrollmentText.lines(for: reply, number: nil, on: Self.terminal(width)).flatMap { Prose.wrapped($0, width: width) }
        #expect(lines.allSatisfy { $0.columns <= max(width, 31) })
        #expect(lines.contains("  JBSW Y3DP EHPK 3PXP JBSW Y3DP"))
        #expect(lines.contains { $0.contains("█") } == (width >= 50))
        #expect(lines.joined(separator: " ").hasSuffix("Then type the code it shows."))
    }
}
