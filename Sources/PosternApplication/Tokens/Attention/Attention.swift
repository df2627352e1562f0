import PosternConfiguration
import PosternCore
import PosternInterface

/// Begins the sign-in that a notice's button asks for.
@DaemonActor
protocol SignInStarting: AnyObject, Sendable {
    func begin(_ request: SignInRequest, of provider: Provider, timeoutSeconds: Int64, activationToken: String?)
}

/// Notifies the user when only they can help, and starts the sign-in when they press the button; runs the program that is configured for
/// changes.
///
/// What is reported, and how often, is decided elsewhere: ``CredentialStates``.
@DaemonActor
final class Attention: Grounded {
    /// The most changes that wait for a program. One that runs for each change has missed the point by then.
    private static let mostWaiting = 64

    private let board: any NoticeBoard
    private let commands: any CommandRunning
    private let signIns: any SignInStarting
    private let providers: ProviderDirectory
    let ground: Ground
    private let languages: PersonLanguages
    /// Notices on the screen, with their numbers: events of an earlier notice are ignored.
    private var shown: [CredentialKey: UInt64] = [:]
    private var lastNotice: UInt64 = 0
    /// What servers wanted, of each account the last: a server in a loop must not fill the screen.
    private var wanted: [CredentialKey: (stepUp: StepUp, at: Timestamp, number: UInt64)] = [:]
    /// Accounts that programs needed and nobody has signed in to.
    private var absent: [CredentialKey: (at: Timestamp, number: UInt64)] = [:]
    private let turns = SerialWork()
    private var waiting = 0

    init(
        _ ground: Ground, board: any NoticeBoard, commands: any CommandRunning, signIns: any SignInStarting, providers: ProviderDirectory,
        languages: PersonLanguages
    ) {
        self.board = board
        self.commands = commands
        self.signIns = signIns
        self.providers = providers
        self.ground = ground
        self.languages = languages
    }

    /// A button waits to be pressed: if the daemon exited, it could not do what the button says.
    var isShowing: Bool { !shown.isEmpty }

    // MARK: Notices

    /// - Parameter signInWords: the arguments of `postern sign-in` for the account.
    func show(_ status: CredentialStatus, of credential: StoredCredential, as named: NamedAccount?, signInWords: String) {
        let account = CredentialKey(credential)
        let (request, binding) = (request(about: credential, as: named), credential.binding)
        let notice = Notice(
            status, of: credential, at: providers.displayName(account.providerID), signInWords: signInWords,
            hasButton: request != nil,
            in: NoticeLanguage.preferred(by: languages, among: settings.configuration.signIn.languages).strings)
        lastNotice += 1
        let number = lastNotice
        shown[account] = number
        board.show(notice) { [weak self] event in self?.heard(event, of: account, number: number, request, replacing: binding) }
    }

    /// In seconds, between two notices about what servers want of one account, and until the same is shown again.
    private static let pauseBetweenDemands: Int64 = 60
    private static let pauseAfterDemand: Int64 = 600

    /// A server wants something of an account that only a person can grant.
    ///
    /// - Parameter signInWords: the arguments of `postern sign-in` for the account.
    func show(_ stepUp: StepUp, of credential: StoredCredential, as named: NamedAccount?, signInWords: String) {
        let (account, now) = (CredentialKey(credential), platform.now)
        wanted = wanted.filter { (0..<Self.pauseAfterDemand).contains(now.seconds(since: $0.value.at)) }
        let last = wanted[account]
        // What the account needs to be of any use stays on the screen.
        guard settings.configuration.attention.notifies, shown[account] == nil || shown[account] == last?.number,
            last.map({ $0.stepUp != stepUp && now.seconds(since: $0.at) >= Self.pauseBetweenDemands }) ?? true
        else { return }
        var request = request(about: credential, as: named)
        request?.take(stepUp)
        let (asked, binding) = (request, credential.binding)
        let strings = NoticeLanguage.preferred(by: languages, among: settings.configuration.signIn.languages).strings
        let command = stepUp.signInOptions(isWhole: providers[account.providerID]?.server != nil).map {
            strings.space + strings.run("postern sign-in \(signInWords) \($0)", instead: request != nil)
        }
        let body = "\(credential.calling)\(strings.colon)\(strings.wanted(stepUp.list))\(command ?? "")"
        let notice = Notice(
            id: Notice.id(of: account), summary: Notice.line(strings.moreWanted(provider: providers.displayName(account.providerID))),
            body: Notice.line(body), button: request == nil ? nil : strings.signIn)
        lastNotice += 1
        let number = lastNotice
        shown[account] = number
        wanted[account] = (stepUp, now, number)
        board.show(notice) { [weak self] event in self?.heard(event, of: account, number: number, asked, replacing: binding) }
    }

    /// A program's request needs an account that nobody has signed in to.
    ///
    /// - Parameter named: the configured name that is meant.
    func showAbsent(at provider: Provider, as named: NamedAccount?) {
        let (name, now) = (named?.name ?? provider.id, platform.now)
        let account = CredentialKey(providerID: provider.id, subject: name)
        absent = absent.filter { (0..<Self.pauseAfterDemand).contains(now.seconds(since: $0.value.at)) || shown[$0.key] != nil }
        guard settings.configuration.attention.notifies, absent[account] == nil, absent.count < Self.mostAbsent else { return }
        let request = request(at: provider, as: named)
        let strings = NoticeLanguage.preferred(by: languages, among: settings.configuration.signIn.languages).strings
        let command = strings.run("postern sign-in \(name)", instead: request != nil)
        let notice = Notice(
            id: Notice.id(of: account), summary: Notice.line(strings.firstSignIn(provider: provider.displayName)),
            body: Notice.line("\(name)\(strings.colon)\(strings.programWaits())\(strings.space)\(command)"),
            button: request == nil ? nil : strings.signIn)
        lastNotice += 1
        let number = lastNotice
        shown[account] = number
        absent[account] = (now, number)
        board.show(notice) { [weak self] event in self?.heard(event, of: account, number: number, request, replacing: nil) }
    }

    private static let mostAbsent = 16

    /// A sign-in took place, so that what a server wanted before is over.
    func signedIn(_ account: CredentialKey) {
        for (key, last) in absent where key.providerID == account.providerID {
            absent[key] = nil
            if shown[key] == last.number { withdraw(key) }
        }
        guard let last = wanted.removeValue(forKey: account), shown[account] == last.number else { return }
        withdraw(account)
    }

    func withdraw(_ account: CredentialKey) {
        guard shown.removeValue(forKey: account) != nil else { return }
        board.withdraw(Notice.id(of: account))
        platform.activityChanged()
    }

    func withdrawAll() { for account in shown.keys { withdraw(account) } }

    /// - Parameter binding: of the credential that the sign-in would replace.
    private func heard(
        _ event: NoticeEvent, of account: CredentialKey, number: UInt64, _ request: SignInRequest?, replacing binding: ProviderBinding?
    ) {
        guard shown[account] == number else { return }
        shown[account] = nil
        switch event {
        case .closed: break
        case .notShown(let reason):
            // No desktop, or none that shows notifications: this is common, and not worth a line a day.
            events.report(.providerProblem, "no notification was shown: \(reason)", level: .debug, providerID: account.providerID)
        case .buttonPressed(let token): if let request { signIn(request, replacing: binding, activationToken: token) }
        }
        platform.activityChanged()
    }

    /// The daemon is about to end.
    func close() async {
        guard isShowing else { return }
        shown = [:]
        await board.close()
    }

    // MARK: Signing in

    /// The sign-in that `postern sign-in` would start for this account; nil if no page could be opened for it.
    private func request(about credential: StoredCredential, as named: NamedAccount?) -> SignInRequest? {
        guard let provider = providers[credential.providerID], provider.problem == nil, provider.hasBrowserFlow else { return nil }
        guard let scopes = try? provider.scopesToRequest(named?.scopesToAskFor) else { return nil }
        // The account that is to sign in, and not another one that happens to be signed in in the browser.
        let bound = provider.located(by: credential.binding) ?? provider
        let request = SignInRequest(
            providerID: provider.id, intent: nil, app: "", scopes: bound.scopes(scopes, keeping: credential),
            hasUsualScopes: named?.scopesToAskFor == nil, parameters: named?.parameters(at: provider) ?? [:],
            loginHint: named?.login?.text ?? credential.loginHint(at: provider), account: named?.name, login: named?.knownLogin)
        return settings.opensPage(of: request) ? request : nil
    }

    /// The first sign-in of an account; nil if no page could be opened for it.
    private func request(at provider: Provider, as named: NamedAccount?) -> SignInRequest? {
        guard provider.problem == nil, provider.hasBrowserFlow, let scopes = try? provider.scopesToRequest(named?.scopesToAskFor) else {
            return nil
        }
        let request = SignInRequest(
            providerID: provider.id, intent: nil, app: "", scopes: scopes, hasUsualScopes: named?.scopesToAskFor == nil,
            parameters: named?.parameters(at: provider) ?? [:], loginHint: named?.login?.text ?? provider.server?.login,
            account: named?.name, login: named?.knownLogin)
        return settings.opensPage(of: request) ? request : nil
    }

    private func signIn(_ request: SignInRequest, replacing binding: ProviderBinding?, activationToken: String?) {
        guard let provider = providers[request.providerID] else { return }
        guard provider.server != nil else { return begin(request, of: provider, activationToken) }
        platform.work.start { await self.begin(request, atServerOf: provider, replacing: binding, activationToken) }
    }

    /// Who issues its tokens is asked first.
    private func begin(
        _ asked: SignInRequest, atServerOf provider: Provider, replacing binding: ProviderBinding?, _ activationToken: String?
    ) async {
        do throws(ProviderFailure) {
            let located = try await providers.withIssuer(provider, replacing: binding)
            // Nothing that the person sees names the resource: the notice does not, and the issuer's page need not.
            if let binding, binding.server == located.server?.url.text, binding.resource != located.server?.resource {
                throw .providerNotConfigured(
                    message: "\(provider.displayName) says that its tokens are for \(located.server?.resource ?? "no resource") now, and "
                        + "no longer for \(binding.resource ?? "none"); if that is right: postern sign-in \(provider.id)")
            }
            var request = asked
            // A step-up asks for what the notice said.
            if asked.hasUsualScopes, asked.stepUp == nil { request.scopes += located.scopes.filter { !asked.scopes.contains($0) } }
            begin(request, of: located, activationToken)
        } catch {
            events.report(.providerProblem, "no page was opened: \(error.message)", providerID: provider.id)
        }
    }

    private func begin(_ request: SignInRequest, of provider: Provider, _ activationToken: String?) {
        signIns.begin(
            request, of: provider, timeoutSeconds: Int64(settings.defaultTimeoutSeconds), activationToken: activationToken)
    }

    // MARK: The program

    func run(for status: CredentialStatus, of credential: StoredCredential, as named: NamedAccount?) {
        guard let command = settings.configuration.attention.command else { return }
        guard waiting < Self.mostWaiting else {
            return events.report(.configuration, "the command of [attention] is too slow for the changes; one was skipped")
        }
        var variables = [
            "POSTERN_EVENT": status.state.rawValue, "POSTERN_PROVIDER": credential.providerID,
            "POSTERN_ACCOUNT": named?.name ?? credential.subject,
        ]
        switch status {
        case .good: break
        case .endsSoon(let end, _): variables["POSTERN_ENDS_AT"] = "\(end)"
        case .signInNeeded(let reason): variables["POSTERN_REASON"] = "\(reason)"
        }
        waiting += 1
        let facts = variables
        platform.work.start {
            await self.turns.begin()
            let problem = await self.commands.run(command, input: nil, variables: facts)
            self.waiting -= 1
            self.turns.end()
            if let problem {
                self.events.report(
                    .configuration, "the command of [attention] (\(command.name)) \(problem)", providerID: facts["POSTERN_PROVIDER"])
            }
            self.platform.activityChanged()
        }
    }
}

extension Notice {
    /// - Parameters:
    ///   - name: of the provider.
    ///   - signInWords: the arguments that the command takes.
    init(
        _ status: CredentialStatus, of credential: StoredCredential, at name: String, signInWords: String, hasButton: Bool,
        in strings: any NoticeStrings
    ) {
        let (summary, reason) =
            switch status {
            case .good: (strings.worksAgain(provider: name), "")
            case .endsSoon(let end, _): (strings.endsSoon(provider: name), strings.usableUntil(end) + strings.space)
            // Not the provider's own words: the notice stays on the screen while that is locked.
            case .signInNeeded(let reason): (strings.signInNeeded(provider: name), strings.reason(reason) + strings.space)
            }
        let command = strings.run("postern sign-in \(signInWords)", instead: hasButton)
        self.init(
            id: Self.id(of: CredentialKey(credential)), summary: Self.line(summary),
            body: Self.line("\(credential.calling)\(strings.colon)\(reason)\(command)"), button: hasButton ? strings.signIn : nil)
    }

    static func id(of account: CredentialKey) -> String { "\(account.providerID) \(account.subject)" }

    /// A provider's text about an account is not trusted: no line breaks, nothing that changes the text's direction, and a limited length.
    static func line(_ text: String) -> String {
        let fit = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isFitToShow)))
        return fit.count > 400 ? "\(fit.prefix(400))…" : fit
    }
}
