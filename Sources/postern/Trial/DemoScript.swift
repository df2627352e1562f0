import Glibc
import PosternClient
import StrictJSON

/// The steps of the demo, each reported as it happens.
struct DemoScript {
    let world: DemoWorld
    let flow: Provider.Flow
    let isHeadless: Bool
    let terminal: Terminal
    let interrupts: Interrupts
    private let app = "postern-demo"

    /// - Returns: the result that the program received.
    func run() throws -> JSONObject {
        tell("directory", "everything happens in \(world.directory.path), which is removed at the end")
        try world.startProvider()
        tell("provider", "an OpenID provider listens at \(world.issuer)")
        try world.startDaemon(opensBrowser: !isHeadless && flow == .browser)
        let connection = try PosternConnection(socketPath: world.socketPath)
        defer { connection.close() }
        let status = try ask(Interface.GetStatus(), over: connection)
        let callback = status.callbackURLs.first ?? "nowhere"
        tell("daemon", "posternd \(status.version) answers at its socket; the browser comes back to \(callback)")

        let asked = flow == .device ? ", flow: \"device\"" : ""
        tell("asking", "a program asks: SignIn {providerID: \"\(DemoConfiguration.providerID)\", app: \"\(app)\"\(asked)}")
        let outcome = try signIn(.signIn)
        tell("signed in", outcome.event.result.map { PersonText.name(of: $0.user) } ?? "without a user")
        try useToken(over: connection)
        if flow == .browser {
            try stepUp(for: "/demo/reports", over: connection)
            // A person has seen by then how it goes.
            if isHeadless { try stepUp(for: "/demo/vault", over: connection) }
        }
        try leave(over: connection)
        return outcome.reply
    }

    /// - Parameter challenge: a server's, after which the pages are known and their steps are not told again.
    private func signIn(_ intent: Intent, challenge: [String]? = nil) throws -> SignInRun.Outcome {
        let request = Interface.SignIn(
            providerID: DemoConfiguration.providerID, intent: intent, app: intent == .keep ? nil : app, flow: flow,
            presentation: isHeadless || flow == .device ? .client : .daemon, challenge: challenge)
        var isDriving = false
        let run = try SignInRun(
            socketPath: world.socketPath, request: request,
            narration: SignInNarration(
                providerName: "Demo Provider", presentation: .browserHere, isInteractive: isHeadless || terminal.isInteractive,
                terminal: terminal, times: { [terminal] in terminal.timesOfWords }),
            terminal: terminal, interrupts: interrupts
        ) { event in
            guard event.state == .authorizationPending, !isDriving else { return }
            if let page = event.verificationURIComplete ?? event.verificationURI {
                isDriving = true
                tell("code", "the provider gave a code; the daemon polls until somebody has typed it")
                if isHeadless { drive(page, tells: true) }
                return
            }
            guard let url = event.authorizationURL else { return }
            isDriving = true
            let isFirst = challenge == nil
            if isFirst { tell("page", "the daemon made the request: state, nonce and PKCE challenge are in it") }
            guard isHeadless else {
                return tell("browser", "the page opens in your browser: choose who you are" + (isFirst ? "" : ", the same as before"))
            }
            drive(url, tells: isFirst)
        }
        return try run.run()
    }

    /// On its own thread: events arrive meanwhile. If the pages lead nowhere, the sign-in is ended.
    private func drive(_ url: String, tells: Bool) {
        let socketPath = world.socketPath
        let terminal = terminal
        let isStarted = DedicatedThread.start {
            do {
                try HeadlessBrowser().visit(url) { if tells { Self.tell(($0, $1), terminal: terminal) } }
            } catch {
                Self.tell(("browser", "\(error)"), terminal: terminal)
                Self.endAll(socketPath: socketPath)
            }
        }
        if !isStarted { Self.endAll(socketPath: socketPath) }
    }

    private func useToken(over connection: PosternConnection) throws {
        let first = try ask(Interface.GetAccessToken(providerID: DemoConfiguration.providerID), over: connection)
        let end = first.expiresAt.map { ", good until \(terminal.timesOfWords.end($0))" } ?? ""
        tell(
            "token",
            "postern token \(DemoConfiguration.providerID): \(first.accessToken.reveal().shortened)\(end)"
        )
        let second = try ask(Interface.GetAccessToken(providerID: DemoConfiguration.providerID, forceRefresh: true), over: connection)
        guard second.accessToken != first.accessToken else { throw CommandFailure("the refresh gave the same token again") }
        tell(
            "refresh",
            "postern token \(DemoConfiguration.providerID) --refresh: \(second.accessToken.reveal().shortened); the refresh token was rotated"
        )
    }

    /// A server wants more than the token has: the daemon says what a person must do, and the request is sent again once they did it.
    private func stepUp(for path: String, over connection: PosternConnection) throws {
        let refused = try get(path, over: connection)
        let challenge = refused.headers.filter { $0.name == "www-authenticate" }.map(\.value)
        let answer = "GET \(path): \(refused.status)"
        do {
            _ = try authorization(for: path, challenge: challenge, over: connection)
            throw CommandFailure("the daemon did not understand the challenge of \(path)")
        } catch PosternError.refused(let refusal) {
            guard case .stepUpRequired = refusal, let demand = SignInDemand(refusal) else { throw PosternError.refused(refusal) }
            let wants = demand.acrValues.isEmpty ? "more scopes" : "a stronger sign-in, \(demand.acrValues.joined(separator: " or "))"
            tell("more", "\(answer); the server wants \(wants): the program asks SignIn with the server's challenge")
        }
        _ = try signIn(.keep, challenge: challenge)
        let granted = try get(path, over: connection)
        guard granted.status == 200 else { throw CommandFailure("\(path) answered \(granted.status) after the sign-in") }
        tell("granted", "GET \(path): 200")
    }

    private func get(_ path: String, over connection: PosternConnection) throws -> LoopbackResponse {
        guard let address = WebAddress(world.issuer + path) else { throw CommandFailure("\(path) has no address") }
        let headers = try authorization(for: path, over: connection)
        return try LoopbackRequest(address: address, headers: headers.map { (name: $0.key, value: $0.value.reveal()) }).send()
    }

    private func authorization(
        for path: String, challenge: [String]? = nil, over connection: PosternConnection
    ) throws -> [String: Secret] {
        try ask(
            Interface.AuthorizeRequest(
                method: "GET", url: world.issuer + path, providerID: DemoConfiguration.providerID, challenge: challenge),
            over: connection
        ).headers
    }

    private func leave(over connection: PosternConnection) throws {
        let revocation = try ask(Interface.RevokeCredential(providerID: DemoConfiguration.providerID), over: connection)
        guard revocation.revokedAtProvider else { throw CommandFailure("the demo provider did not revoke the token") }
        tell("revoke", "postern revoke \(DemoConfiguration.providerID): revoked at the provider, forgotten here")
        do {
            _ = try ask(Interface.GetAccessToken(providerID: DemoConfiguration.providerID), over: connection)
            throw CommandFailure("a token was returned after it had been revoked")
        } catch PosternError.refused(.signInRequired) {
            tell("after", "postern token \(DemoConfiguration.providerID) now ends with status 3: sign in first")
        }
        _ = try ask(Interface.SignOut(app: app), over: connection)
        tell("sign-out", "postern sign-out: the app has no current user")
    }

    /// One call with a time limit, not made after an interrupt.
    private func ask<Parameters: MethodParameters>(_ parameters: Parameters, over connection: PosternConnection) throws -> Parameters.Reply
    {
        if interrupts.take() { throw PosternError.cancelled }
        return try connection.call(parameters, timeoutMilliseconds: 30_000)
    }

    private func tell(_ topic: String, _ words: String) { Self.tell((topic, words), terminal: terminal) }

    private static func tell(_ line: (topic: String, words: String), terminal: Terminal) {
        let padded = line.topic + String(repeating: " ", count: max(0, 11 - line.topic.count))
        StandardError.write(line: (terminal.isInteractive ? "\r\u{1B}[K" : "") + terminal.paint(padded, .bold) + line.words.plain)
    }

    private static func endAll(socketPath: String) {
        for session in (try? PosternConnection.call(Interface.ListSessions(), at: socketPath).sessions) ?? [] {
            _ = try? PosternConnection.call(Interface.CancelSession(sessionID: session.sessionID), at: socketPath)
        }
    }
}

extension String {
    /// Enough of a token to distinguish two.
    fileprivate var shortened: String { count > 12 ? prefix(8) + "…" : self }
}
