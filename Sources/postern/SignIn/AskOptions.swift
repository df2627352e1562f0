import ArgumentParser
import PosternClient

/// Options of a sign-in.
struct AskOptions: ParsableArguments, PlainOptions {
    @Option(
        name: .customLong("scope"),
        help: ArgumentHelp("Request this scope instead of the configured ones. May be repeated.", valueName: "scope"))
    var scopes: [String] = []

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("A parameter for the authorization request. May be repeated.", valueName: "key=value"),
        transform: CustomParameter.init(option:))
    var parameters: [CustomParameter] = []

    @Option(help: ArgumentHelp("The account to sign in with: an address or a name.", valueName: "account"))
    var loginHint: String?

    @Flag(help: "Sign in with a code typed on another device.")
    var device = false

    @Flag(help: "Open no browser: print the address, and let the redirect be pasted.")
    var noBrowser = false

    @Option(
        help: ArgumentHelp("How long to wait for the user, such as 90s or 10m; at most 1h.", valueName: "duration"),
        transform: DurationText.init(option:))
    var timeout: DurationText?

    mutating func take(from line: inout PlainLine) {
        scopes = line.options("--scope") { $0 }
        parameters = line.options("--param", CustomParameter.init)
        loginHint = line.option("--login-hint")
        device = line.flag("--device")
        noBrowser = line.flag("--no-browser")
        timeout = line.option("--timeout", DurationText.init)
        line.check { try validate() }
    }

    mutating func validate() throws {
        if let timeout, !(1...3600).contains(timeout.seconds) {
            throw ValidationError("--timeout must be from 1s to 1h")
        }
        var names: Set<String> = []
        for parameter in parameters where !names.insert(parameter.name).inserted {
            throw ValidationError("--param \(parameter.name) is given twice")
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
    /// As the value of an option, with an error that says what is expected.
    init(option: String) throws {
        guard let parameter = CustomParameter(option) else {
            throw ValidationError("write KEY=VALUE, such as --param prompt=login")
        }
        self = parameter
    }
}

/// How a user proves who they are: a provider, or an address and a password.
struct ProofOptions: ParsableArguments, PlainOptions {
    @Argument(help: "The provider, as postern provider list names it; or password.", completion: .waysToSignIn)
    var provider: String?

    @Option(help: ArgumentHelp("Sign in with a password and this address.", valueName: "address"))
    var email: String?

    @OptionGroup var ask: AskOptions

    mutating func take(from line: inout PlainLine) {
        email = line.option("--email")
        ask = AskOptions(plain: &line)
        provider = line.optionalArgument()
        line.check { try validate() }
    }

    mutating func validate() throws {
        guard provider != nil || email != nil else {
            throw ValidationError("which provider? list them with: postern provider list; --email signs in with a password")
        }
        if email == "" { throw ValidationError("--email is empty: give the address to sign in with") }
        guard isProvider else { return try refusePageOptions() }
        if email != nil { throw ValidationError("--email goes with a password; --login-hint names an account of a provider") }
    }

    func way(app: String) -> SignInWay {
        switch provider {
        case SignInWay.passwordID?, nil: .password(email: email)
        case SignInWay.anonymousID?: .anonymous
        case let provider?: .provider(ask.signIn(providerID: provider, intent: .signIn, app: app, presentation: .daemon))
        }
    }

    private var isProvider: Bool { provider.map { $0 != SignInWay.passwordID && $0 != SignInWay.anonymousID } ?? false }

    private func refusePageOptions() throws {
        if provider == SignInWay.anonymousID, email != nil { throw ValidationError("an anonymous user has no address") }
        let isUsed = !ask.scopes.isEmpty || !ask.parameters.isEmpty || ask.loginHint != nil || ask.device
        // --no-browser and --timeout apply to any page that a dialogue opens.
        if isUsed { throw ValidationError("--scope, --param, --login-hint and --device go with a provider") }
    }
}
