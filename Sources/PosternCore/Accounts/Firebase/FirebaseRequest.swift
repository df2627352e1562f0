import StrictJSON

/// Requests to the Identity Toolkit and the token service.
public struct FirebaseRequest: Sendable {
    public let project: FirebaseProject

    public init(to project: FirebaseProject) { self.project = project }

    // MARK: Signing in

    /// - Parameters:
    ///   - idToken: of the user that the account at the provider is to be linked to; nil to sign in.
    ///   - createsUser: false to prove again who somebody is: an unknown identity must not create a user.
    public func signIn(with completed: CompletedSignIn, linkedTo idToken: Secret? = nil, createsUser: Bool = true) -> ProviderRequest {
        var body: JSONObject = [
            "requestUri": "http://localhost", "postBody": .string(FirebasePostBody(completed).text), "returnSecureToken": true,
            "returnIdpCredential": true, "autoCreate": .bool(createsUser),
        ]
        body.set("idToken", secretText: idToken)
        body.set("pendingToken", secretText: completed.pendingToken)
        return call("v1/accounts:signInWithIdp", body)
    }

    public func signInAnonymously() -> ProviderRequest { call("v1/accounts:signUp", ["returnSecureToken": true]) }

    /// A new user; or, with an ID token, another way to sign in for its user.
    public func signUp(email: String, password: Secret, displayName: String? = nil, linkedTo idToken: Secret? = nil) -> ProviderRequest {
        var body: JSONObject = [
            "email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true,
        ]
        body.set("displayName", displayName)
        body.set("idToken", secretText: idToken)
        return call("v1/accounts:signUp", body)
    }

    public func signIn(email: String, password: Secret) -> ProviderRequest {
        call(
            "v1/accounts:signInWithPassword",
            ["email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true])
    }

    /// RFC 6749 section 6, in a form.
    public func refresh(_ refreshToken: Secret) -> ProviderRequest {
        ProviderRequest(
            method: "POST", url: project.secureToken("v1/token"),
            headers: headers("application/x-www-form-urlencoded"),
            body: PercentEncoding.form([("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())]))
    }

    // MARK: The user

    public func lookUp(_ idToken: Secret) -> ProviderRequest { call("v1/accounts:lookup", ["idToken": .string(idToken.reveal())]) }

    public func update(_ idToken: Secret, _ update: FirebaseUpdate) -> ProviderRequest {
        var body = update.members
        body.set("idToken", secretText: idToken)
        body["returnSecureToken"] = true
        return call("v1/accounts:update", body)
    }

    public func delete(_ idToken: Secret) -> ProviderRequest { call("v1/accounts:delete", ["idToken": .string(idToken.reveal())]) }

    public func providers(ofEmail email: String) -> ProviderRequest {
        call("v1/accounts:createAuthUri", ["identifier": .string(email), "continueUri": "http://localhost"])
    }

    // MARK: Second factors

    /// - Parameter phoneNumber: nil for codes of an authenticator.
    public func startEnrollment(_ idToken: Secret, phoneNumber: String?) -> ProviderRequest {
        var body: JSONObject = ["idToken": .string(idToken.reveal())]
        if let phoneNumber {
            body["phoneEnrollmentInfo"] = ["phoneNumber": .string(phoneNumber)]
        } else {
            body["totpEnrollmentInfo"] = [:]
        }
        return call("v2/accounts/mfaEnrollment:start", body)
    }

    public func finishEnrollment(
        _ idToken: Secret, _ kind: SecondFactor.Kind, session: Secret, code: String, displayName: String?
    ) -> ProviderRequest {
        var body: JSONObject = ["idToken": .string(idToken.reveal())]
        body.set("displayName", displayName)
        switch kind {
        case .phone: body["phoneVerificationInfo"] = ["sessionInfo": .string(session.reveal()), "code": .string(code)]
        case .totp: body["totpVerificationInfo"] = ["sessionInfo": .string(session.reveal()), "verificationCode": .string(code)]
        }
        return call("v2/accounts/mfaEnrollment:finalize", body)
    }

    public func withdraw(_ idToken: Secret, factor: String) -> ProviderRequest {
        call("v2/accounts/mfaEnrollment:withdraw", ["idToken": .string(idToken.reveal()), "mfaEnrollmentId": .string(factor)])
    }

    /// Sends a code to the factor's phone.
    public func startSecondFactor(_ pending: Secret, factor: String) -> ProviderRequest {
        call(
            "v2/accounts/mfaSignIn:start",
            ["mfaPendingCredential": .string(pending.reveal()), "mfaEnrollmentId": .string(factor), "phoneSignInInfo": [:]])
    }

    /// - Parameter session: from the start of the sign-in, for a phone.
    public func finishSecondFactor(_ pending: Secret, factor: String, session: Secret?, code: String) -> ProviderRequest {
        var body: JSONObject = ["mfaPendingCredential": .string(pending.reveal()), "mfaEnrollmentId": .string(factor)]
        if let session {
            body["phoneVerificationInfo"] = ["sessionInfo": .string(session.reveal()), "code": .string(code)]
        } else {
            body["totpVerificationInfo"] = ["verificationCode": .string(code)]
        }
        return call("v2/accounts/mfaSignIn:finalize", body)
    }

    private func call(_ path: String, _ body: JSONObject) -> ProviderRequest {
        ProviderRequest(
            method: "POST", url: project.identityToolkit(path), headers: headers("application/json"), body: body.serialized)
    }

    private func headers(_ type: String) -> [(name: String, value: String)] {
        [("Content-Type", type), ("Accept", "application/json"), ("x-goog-api-key", project.apiKey.reveal())]
    }
}

/// Changes for `accounts:update`; what is nil stays.
public struct FirebaseUpdate: Sendable {
    /// An empty one removes it.
    public var displayName: String?
    /// An empty one removes it.
    public var photoURL: String?
    public var email: String?
    public var password: Secret?
    /// Providers to be unlinked.
    public var deletedProviders: [String] = []

    public init() {}

    var members: JSONObject {
        var members = JSONObject()
        var deleted: [String] = []
        if displayName == "" { deleted.append("DISPLAY_NAME") } else { members.set("displayName", displayName) }
        if photoURL == "" { deleted.append("PHOTO_URL") } else { members.set("photoUrl", photoURL) }
        members.set("email", email)
        members.set("password", secretText: password)
        if !deleted.isEmpty { members.set("deleteAttribute", deleted) }
        if !deletedProviders.isEmpty { members.set("deleteProvider", deletedProviders) }
        return members
    }
}

extension JSONObject {
    fileprivate mutating func set(_ key: String, secretText secret: Secret?) { set(key, secret?.reveal()) }
}

/// What a provider issued, in the format of `accounts:signInWithIdp`: a query in a member of a document.
///
/// Every name and value is percent-encoded. Firebase's own library for Apple's platforms decodes them again before they are sent, so that a
/// token with `&` or `+` in it arrives as another one.
struct FirebasePostBody {
    let text: String

    init(_ completed: CompletedSignIn) {
        let grant = completed.grant
        let identity = completed.profile.identity
        var pairs: [(name: String, value: String)] = []
        if let idToken = grant.idToken {
            pairs.append(("id_token", idToken.reveal()))
            if let nonce = completed.rawNonce { pairs.append(("nonce", nonce.reveal())) }
        }
        if grant.hasAccessToken { pairs.append(("access_token", grant.accessToken.reveal())) }
        if let secret = grant.tokenSecret { pairs.append(("oauth_token_secret", secret.reveal())) }
        pairs.append(("providerId", identity.providerID))
        // Apple sends the name once, and outside the token: without this the project would never learn it.
        if identity.providerID == "apple.com", let name = identity.displayName { pairs.append(("user", Self.appleUser(name))) }
        text = PercentEncoding.query(pairs)
    }

    private static func appleUser(_ name: String) -> String {
        let parts = name.parts(separator: " ", maxSplits: 1).map(String.init)
        var members: JSONObject = ["firstName": .string(parts.first ?? name)]
        if parts.count > 1 { members["lastName"] = .string(parts[1]) }
        return JSON.object(["name": .object(members)]).text
    }
}

/// The Firebase project that the accounts are in, and where to reach it.
public struct FirebaseProject: Sendable, Equatable {
    public static let identityToolkit = "identitytoolkit.googleapis.com"
    public static let secureToken = "securetoken.googleapis.com"

    /// Sent in a header, so that no log of a proxy or a server contains it.
    public var apiKey: Secret
    /// The base URL of an emulator, without a slash at its end; nil for Google's servers.
    public var emulator: String?
    /// What its tokens must be for; nil if the first token decides.
    public var projectID: String?

    public init(apiKey: Secret, emulator: String? = nil, projectID: String? = nil) {
        self.apiKey = apiKey
        self.emulator = emulator
        self.projectID = projectID
    }

    /// The URL of an Identity Toolkit method: `v1/accounts:signUp`.
    func identityToolkit(_ path: String) -> String { url(of: Self.identityToolkit, path) }

    func secureToken(_ path: String) -> String { url(of: Self.secureToken, path) }

    private func url(of host: String, _ path: String) -> String { "\(emulator.map { "\($0)/" } ?? "https://")\(host)/\(path)" }
}
