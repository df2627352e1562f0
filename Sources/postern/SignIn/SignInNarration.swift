import Glibc
import PosternClient

/// The messages for a user during a sign-in. Takes events and returns lines; writes nothing itself.
struct SignInNarration {
    /// How the user opens the page.
    enum Presentation: Equatable {
        /// The daemon opens it in a browser of this session.
        case browserHere
        /// The user opens it somewhere else. The redirect returns from there by the tunnel, or by a paste if that is possible.
        case elsewhere(userAtHost: UserAtHost, takesPastes: Bool)
    }

    /// The user name and host in the advice for a tunnel.
    struct UserAtHost: Equatable {
        var user: String
        var hostName: String
        var remoteLogin: TerminalLocation.RemoteLogin?
        /// If a tunnel is of no use.
        var enclosure: TerminalLocation.Enclosure?
    }

    /// The requested name, until a sign-in says whose page it is.
    var providerName: String
    let presentation: Presentation
    /// On a terminal the address is delayed briefly: usually the page simply opens.
    let isInteractive: Bool
    /// The terminal on which a code is drawn; nil if it is shown as text alone.
    let terminal: Terminal?

    /// How to change the time limit; nil if this command has no option for it.
    let timeoutAdvice: String?

    /// The command that signs in with a code, if this one has no option for that.
    let deviceCommand: String?

    /// How times are written; called each time, since relative times change during the wait.
    let times: @Sendable () -> TimeText

    /// The alternatives that the user now has, and whether a key selects them: scripts are told the option instead.
    var offers = Offers()

    struct Offers: Equatable {
        var flows: [Provider.Flow] = []
        var takesKeys = false
        /// The user can ask for the list of keys.
        var hasKeyboard = false
    }

    private(set) var state: SignInEvent.State?
    private var end: String?
    private var shownURL: String?
    private var heldBackURL: String?
    private(set) var shownCode: String?
    private var toldProblem: String?
    private var toldScopes: [String]

    /// - Parameter toldScopes: those that the user knows of already.
    init(
        providerName: String, presentation: Presentation, isInteractive: Bool, terminal: Terminal? = nil, timeoutAdvice: String? = nil,
        deviceCommand: String? = nil, toldScopes: [String] = [], times: @escaping @Sendable () -> TimeText = { .exact }
    ) {
        self.providerName = providerName
        self.presentation = presentation
        self.isInteractive = isInteractive
        self.terminal = terminal
        self.timeoutAdvice = timeoutAdvice
        self.deviceCommand = deviceCommand
        self.toldScopes = toldScopes
        self.times = times
    }

    /// Lines for what has changed; none for an event that repeats known facts.
    mutating func lines(for event: SignInEvent) -> [String] {
        let isNews = state != event.state
        state = event.state
        end = event.expiresAt
        switch event.state {
        case .authorizationPending: return scopeLines(for: event) + pendingLines(for: event, isNews: isNews)
        case .exchanging:
            heldBackURL = nil
            guard isNews, !isInteractive else { return [] }
            return [(shownCode == nil ? "the browser came back" : "answered") + "; finishing with \(providerName)"]
        case .completed:
            heldBackURL = nil
            return []
        }
    }

    /// What a server demanded that the user be asked for: before the page, whoever began the sign-in.
    private mutating func scopeLines(for event: SignInEvent) -> [String] {
        let news = SignInDemand(scopes: (event.scopes ?? []).filter { !toldScopes.contains($0) })
        toldScopes += news.scopes
        return news.lines(of: providerName)
    }

    private mutating func pendingLines(for event: SignInEvent, isNews: Bool) -> [String] {
        let code = codeLines(for: event)
        guard let url = event.authorizationURL else {
            return event.userCode == nil && isNews ? pagelessLines(until: event.expiresAt) : code
        }
        if let problem = event.pageProblem, problem != toldProblem {
            toldProblem = problem
            heldBackURL = nil
            shownURL = url
            return code + [
                "no browser could be started: \(problem.plain)", "Open this page to sign in with \(providerName):", "",
                "  " + shown(url), "",
            ]
                + offerLines + [patience(until: event.expiresAt)]
        }
        guard url != shownURL, url != heldBackURL else { return code }
        return code + pageLines(url: url, until: event.expiresAt)
    }

    /// After some seconds without a response: the address, once, in case no page has opened.
    mutating func waitedAWhile() -> [String] {
        guard let url = heldBackURL else { return [] }
        heldBackURL = nil
        shownURL = url
        return ["If no page opens, open this one:", "  " + shown(url)] + offerLines
    }

    /// The page's address, when the user asks for it; nil if there is none yet.
    mutating func address() -> [String]? {
        guard let url = heldBackURL ?? shownURL else { return nil }
        heldBackURL = nil
        shownURL = url
        return ["The page to sign in with \(providerName):", "", "  " + shown(url), ""]
    }

    private func shown(_ url: String) -> String { terminal?.link(url) ?? url.plain }

    /// The moving line: what is awaited, the time left, and that keys can be pressed.
    func status(now: EpochTime) -> String? {
        guard let waiting else { return nil }
        guard state == .authorizationPending else { return waiting }
        let left = end.flatMap { Countdown.text(until: $0, now: now) }.map { " \($0) left" } ?? ""
        let whole = waiting + left + (offers.hasKeyboard ? " (? and Enter: keys)" : "")
        // On a narrow terminal the moving part stays visible; the line above also says what is awaited.
        let shorter = [whole, waiting + left, "waiting …" + left]
        return shorter.first { StatusLine.fitted($0, to: terminal?.width) == $0 } ?? whole
    }

    /// The available keys, for a user who asks.
    var keys: [String] {
        var keys: [String] = []
        if offers.takesKeys, offers.flows.contains(.device) { keys.append("  d       a code to type on another device") }
        if heldBackURL ?? shownURL != nil || (offers.takesKeys && offers.flows.contains(.browser)) {
            keys.append("  u       the address of the page")
        }
        keys += ["  ?       these keys", "  Ctrl-C  give up"]
        let paste = "You can also paste the address of the page at which the browser ended."
        return ["Keys, the letters each with Enter:"] + keys + (presentation == .browserHere ? [] : [paste])
    }

    /// The text of the moving line; nil if there is nothing to wait for.
    var waiting: String? {
        switch state {
        case nil: "asking \(providerName) …"
        case .authorizationPending where shownCode != nil: "waiting for you at \(providerName) …"
        case .authorizationPending: "waiting for you at \(providerName), in the browser …"
        case .exchanging: "finishing with \(providerName) …"
        case .completed: nil
        }
    }

    private mutating func codeLines(for event: SignInEvent) -> [String] {
        guard let words = DeviceWords(event) else {
            guard shownCode != nil else { return [] }
            shownCode = nil
            return ["The code has expired. " + (offers.takesKeys ? "Press d and Enter for a new one." : "The page still waits.")]
        }
        guard shownCode != words.code else { return [] }
        shownCode = words.code
        let page = event.authorizationURL == nil ? offerLines : []
        return words.lines(on: terminal) + page + [patience(until: event.expiresAt)]
    }

    /// The next alternative, if there is one.
    private var offerLines: [String] {
        let (flow, key, words) =
            shownCode == nil
            ? (Provider.Flow.device, FlowKey.device, "a code to type on another device")
            : (.browser, .address, "the address of a page to sign in with")
        guard offers.flows.contains(flow), flow == .device || shownURL == nil else { return [] }
        if offers.takesKeys { return ["Or press \(key.rawValue) and Enter for \(words)."] }
        guard flow == .device else { return [] }
        return [deviceCommand.map { "Or run \($0), for \(words)." } ?? "Or start with --device, for \(words)."]
    }

    /// The page has been opened, and its address is no longer known.
    private func pagelessLines(until end: String) -> [String] {
        // The moving line already says it.
        if isInteractive, presentation == .browserHere { return [] }
        return ["waiting for you at \(providerName), on the page that was opened before", patience(until: end)]
    }

    private func patience(until end: String) -> String {
        "Waiting until \(times().end(end).plain)" + (timeoutAdvice.map { "; \($0)" } ?? "")
            + (offers.hasKeyboard ? "; ? and Enter shows the keys." : ".")
    }

    private mutating func pageLines(url: String, until end: String) -> [String] {
        switch presentation {
        case .browserHere:
            guard isInteractive else {
                shownURL = url
                return [
                    "waiting for you at \(providerName), in the browser; if no page opens, open this one:", "  " + shown(url),
                ] + offerLines + [patience(until: end)]
            }
            heldBackURL = url
            return []
        case .elsewhere(let userAtHost, let takesPastes):
            shownURL = url
            var lines = ["Open this page in a browser to sign in with \(providerName):", "", "  " + shown(url), ""]
            let redirectURI = WebAddress(url)?.parameter("redirect_uri") ?? ""
            if userAtHost.enclosure == .wsl {
                lines += EnclosureAdvice.wsl(takesPastes: takesPastes)
            } else if let tunnel = TunnelAdvice(
                redirectURI: redirectURI, user: userAtHost.user, remoteLogin: userAtHost.remoteLogin, hostName: userAtHost.hostName)
            {
                if userAtHost.enclosure == .container { lines += EnclosureAdvice.container }
                lines += [
                    "Is the browser on another machine? Run this there first, to forward the answer to this machine:", "",
                    "  " + tunnel.command.plain, "",
                    takesPastes
                        ? "Or, if the browser ends at a page that does not load, paste that page's whole address here and press Enter."
                        : "Or, if the browser ends at a page that does not load, give that page's whole address to: postern open-url -",
                ]
            } else {
                lines += [
                    takesPastes
                        ? "When the browser is done, paste the address at which it arrived here, and press Enter."
                        : "When the browser is done, give the address at which it arrived to: postern open-url -"
                ]
            }
            return lines + offerLines + [patience(until: end)]
        }
    }
}

extension SignInNarration.Presentation {
    /// For a user at this place.
    static func elsewhere(from place: TerminalLocation) -> Self {
        .elsewhere(userAtHost: .current(place: place), takesPastes: PasteInput().mayBring)
    }
}

extension SignInNarration.UserAtHost {
    /// This user on this machine.
    static func current(place: TerminalLocation) -> Self {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, whatever the length of the name.
        let hasName = gethostname(&name, name.count - 1) == 0
        let hostName = hasName ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "this-machine"
        return Self(
            user: ProcessEnvironment.variable("USER") ?? ProcessEnvironment.variable("LOGNAME") ?? "user",
            hostName: hostName, remoteLogin: place.remoteLogin,
            enclosure: place.remoteLogin == nil ? place.enclosure : nil)
    }
}
