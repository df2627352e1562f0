import PosternClient
import ProgramOptions

/// Options of a sign-in.
struct AskOptions {
    let scopes: [String]
    let parameters: [CustomParameter]
    let loginHint: String?
    let device: Bool
    let noBrowser: Bool
    let timeout: DurationText?

    init(_ line: inout OptionReader) {
        scopes = line.options(
            "scope", named: "scope", help: "Request this scope instead of the usual ones; a kept account keeps its own. May be repeated.")
        parameters = line.options(
            "param", named: "key=value", help: "A parameter for the authorization request. May be repeated.",
            problem: CustomParameter.problem
        ).compactMap { CustomParameter($0) }
        loginHint = line.option("login-hint", named: "account", help: "The account to sign in with: an address or a name.")
        device = line.flag("device", help: "Sign in with a code typed on another device.")
        noBrowser = line.flag("no-browser", help: "Open no browser: print the page's address.")
        timeout = line.option(
            "timeout", named: "duration", help: "How long to wait for the user, such as 90s or 10m; at most 1h.",
            problem: DurationText.problem
        ).flatMap { DurationText($0) }
    }

    func validate() throws(UsageError) {
        if let timeout, !(1...3600).contains(timeout.seconds) {
            throw UsageError("--timeout must be from 1s to 1h")
        }
        var names: Set<String> = []
        for parameter in parameters where !names.insert(parameter.name).inserted {
            throw UsageError("--param \(parameter.name) is given twice")
        }
    }

    func signIn(providerID: String, intent: Intent, app: String, presentation: Interface.SignIn.Presentation) -> Interface.SignIn {
        let pairs = parameters.map { ($0.name, $0.value) }
        return Interface.SignIn(
            providerID: providerID, intent: intent, app: app, scopes: scopes.isEmpty ? nil : scopes,
            customParameters: pairs.isEmpty ? nil : Dictionary(pairs, uniquingKeysWith: { first, _ in first }), loginHint: loginHint,
            flow: device ? .device : nil, presentation: presentation, timeoutSeconds: timeout?.seconds)
    }
}

/// `KEY=VALUE`; the value may be empty and may contain further equals signs.
struct CustomParameter: Equatable, Sendable {
    var name: String
    var value: String

    init?(_ text: String) {
        guard let equals = text.unicodeScalars.firstIndex(of: "="), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(text.after(equals))
    }
}

extension CustomParameter {
    /// Why an option's value is refused.
    static func problem(_ text: String) -> String? {
        CustomParameter(text) == nil ? "write KEY=VALUE, such as --param prompt=login" : nil
    }
}

/// How a user proves who they are: a provider, or an address and a password.
struct ProofOptions {
    let provider: String?
    let email: String?
    let ask: AskOptions

    init(_ line: inout OptionReader) {
        provider = line.optionalArgument(
            "provider", .names(.waysToSignIn), help: "The provider, as postern provider list names it; or password.")
        email = line.option(
            "email", named: "address", help: "Sign in with a password and this address.",
            ifEmpty: "is empty: give the address to sign in with")
        ask = AskOptions(&line)
    }

    func validate() throws(UsageError) {
        try ask.validate()
        guard provider != nil || email != nil else {
            throw UsageError("which provider? list them with: postern provider list; --email signs in with a password")
        }
        guard isProvider else { return try refusePageOptions() }
        if email != nil { throw UsageError("--email goes with a password; --login-hint names an account of a provider") }
    }

    func way(app: String) -> SignInWay {
        switch provider {
        case SignInWay.passwordID?, nil: .password(email: email)
        case SignInWay.anonymousID?: .anonymous
        case let provider?: .provider(ask.signIn(providerID: provider, intent: .signIn, app: app, presentation: .daemon))
        }
    }

    private var isProvider: Bool { provider.map { $0 != SignInWay.passwordID && $0 != SignInWay.anonymousID } ?? false }

    private func refusePageOptions() throws(UsageError) {
        if provider == SignInWay.anonymousID, email != nil { throw UsageError("an anonymous user has no address") }
        let isUsed = !ask.scopes.isEmpty || !ask.parameters.isEmpty || ask.loginHint != nil || ask.device
        // --no-browser and --timeout apply to any page that a dialogue opens.
        if isUsed { throw UsageError("--scope, --param, --login-hint and --device go with a provider") }
    }
}
