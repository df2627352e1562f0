import ArgumentParser
import PosternClient

/// By what a person proves who they are: a provider, or an address and a password.
struct ProofOptions: ParsableArguments {
    @Argument(help: "The provider, as postern provider list names it; or password.")
    var provider: String?

    @Option(help: ArgumentHelp("With a password, of this address.", valueName: "address"))
    var email: String?

    @OptionGroup var ask: AskOptions

    mutating func validate() throws {
        guard provider != nil || email != nil else {
            throw ValidationError("which provider? postern provider list names them; --email signs in with a password")
        }
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
        // --no-browser and --timeout hold for the pages that a dialogue may lead to.
        if isUsed { throw ValidationError("--scope, --param, --login-hint and --device go with a provider") }
    }
}
