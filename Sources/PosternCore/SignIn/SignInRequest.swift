/// What a program asks of a user. Equal requests that wait at the same time share one page.
public struct SignInRequest: Sendable, Equatable {
    public var providerID: String
    /// What follows for the app's user. Nil: the account is kept for the person's own programs, and concerns no user of any app.
    public var intent: Intent?
    /// Empty if no app is concerned.
    public var app: AppName
    /// As they will be sent, unless ``scopes(at:)`` adds one; a different order is no different request.
    public var scopes: [String]
    /// They are the provider's: neither the program nor the account's section names any.
    public var hasUsualScopes: Bool
    public var parameters: [String: String]
    /// The account that the program would like.
    public var loginHint: String?
    /// The account's name in the configuration, if the program gave that instead of the provider's.
    public var account: String?
    /// Whose that name is, as the configuration says; nil if it does not.
    public var login: AccountLogin?
    /// The app's sign-in at the time of the request. Nil if it had none; also for a page whose answer does not depend on it.
    public var owner: PageOwner?
    /// What a server demanded, if that is why the person is asked; in ``scopes`` and ``parameters``, too.
    public var stepUp: StepUp?

    public init(
        providerID: String, intent: Intent?, app: AppName, scopes: [String], hasUsualScopes: Bool = false,
        parameters: [String: String] = [:], loginHint: String? = nil, account: String? = nil, login: AccountLogin? = nil,
        owner: PageOwner? = nil,
        stepUp: StepUp? = nil
    ) {
        self.providerID = providerID
        self.intent = intent
        self.app = app
        self.scopes = scopes
        self.hasUsualScopes = hasUsualScopes
        self.parameters = parameters
        self.loginHint = loginHint
        self.account = account
        self.login = login
        self.owner = owner
        self.stepUp = stepUp
    }

    /// It links an account to the app's user, or reauthenticates that user.
    public var isAboutUser: Bool { intent == .link || intent == .reauthenticate }

    public static func == (left: SignInRequest, right: SignInRequest) -> Bool {
        left.providerID == right.providerID && left.intent == right.intent && left.app == right.app
            && Set(left.scopes) == Set(right.scopes) && left.hasUsualScopes == right.hasUsualScopes
            && bytes(of: left.parameters) == bytes(of: right.parameters) && bytes(of: left.loginHint) == bytes(of: right.loginHint)
            && left.account == right.account && left.login == right.login && left.owner == right.owner
            && left.stepUp == right.stepUp
    }

    private static func bytes(of text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

    private static func bytes(of parameters: [String: String]) -> [String: [UInt8]] { parameters.mapValues { Array($0.utf8) } }
}

extension SignInRequest {
    /// What a server may have caused to be asked for is shown to the person. Nil for other sign-ins.
    public var shownScopes: [String]? { stepUp == nil ? nil : scopes }

    /// Asks for what a server demanded, too.
    public mutating func take(_ stepUp: StepUp) {
        self.stepUp = stepUp
        scopes = Scopes.withoutRepetition(scopes + stepUp.scopes)
        parameters.merge(stepUp.parameters) { $1 }
    }

    /// The same with nothing but what the account has and what the server demanded, for a provider that knows some other scope no longer;
    /// nil if that is what it asks for already.
    public func narrowed(at provider: Provider) -> SignInRequest? {
        guard let stepUp, let scopes = try? provider.scopesToRequest(stepUp.granted + stepUp.missing) else { return nil }
        var request = self
        request.scopes = scopes
        request.hasUsualScopes = false
        return Set(scopes) == Set(self.scopes) ? nil : request
    }

    /// What is requested of the provider.
    ///
    /// `offline_access` is added only to what the person keeps. What an app gets, and what its users agree to, is what the app asks for: its
    /// users would have to agree to something that it did not want, and it would see a scope that it did not name.
    public func scopes(at provider: ResolvedProvider) -> [String] {
        guard intent == nil, hasUsualScopes else { return scopes }
        return OfflineAccess.added(to: scopes, prompt: prompt(at: provider.provider, to: provider.authorization), at: provider)
    }

    /// What the account is called if its provider says nothing about the person. Nil where the answer makes somebody an app's user: a name
    /// is no proof of who that is.
    public var accountName: String? { intent == nil || intent == .credential ? account ?? providerID : nil }

    /// The person is asked even if the provider knows them.
    public var asksAgain: Bool { intent == .reauthenticate }

    /// Whether the provider may ask the person anything.
    ///
    /// - Parameter provider: nil if it is no longer configured.
    public func mayAsk(at provider: Provider?) -> Bool {
        let prompt = prompt(at: provider)
        // What asks again takes the place of what a program or a section says, and not of what is fixed.
        return !prompt.asksNobody || asksAgain && !prompt.isFixed
    }

    /// The parameters that may decide what the tokens are good for: all but those that say how the page is shown, and to whom (OpenID Connect
    /// Core section 3.1.2.1).
    public var parametersOfGrant: [String: String] { parameters.filter { !Self.parametersOfPage.contains($0.key) } }

    private static let parametersOfPage: Set<String> = [
        "display", "prompt", "max_age", "ui_locales", "claims_locales", "id_token_hint", "login_hint", "acr_values",
    ]

    /// The `prompt` that is sent.
    ///
    /// - Parameter endpoint: where to; nil: where the provider's section says.
    func prompt(at provider: Provider?, to endpoint: EndpointURL? = nil) -> PagePrompt {
        let configured = provider?.endpoints.authorization.flatMap { try? EndpointURL($0) }
        return PagePrompt(given: parameters["prompt"] ?? provider?.parameters["prompt"], to: endpoint ?? configured)
    }
}
