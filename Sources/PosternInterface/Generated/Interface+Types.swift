// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import Secrets
import StrictJSON

extension Interface {
    /// What to do with the credential once the provider has issued it:
    /// signIn creates or finds the local user; link adds it to the app's current user;
    /// reauthenticate proves that the current user is still present; credential only returns it.
    public enum Intent: String, JSONConvertible, CaseIterable {
        case signIn, link, reauthenticate, credential
    }

    /// good: tokens are available without the user. endsSoon: they will not be for much longer; `endsAt` says until when.
    /// signInNeeded: the user must sign in; `reason` says why. A temporary failure is never the reason.
    public enum CredentialState: String, JSONConvertible, CaseIterable {
        case good, endsSoon, signInNeeded
    }

    /// A request of the service that a provider refused.
    public struct ProviderRefusal: InterfaceObject, Hashable {
        public var refusedAt: String
        /// The provider's error code, such as `invalid_client`; absent if it gave none.
        public var error: String?
        public var message: String

        public init(refusedAt: String, error: String? = nil, message: String) {
            self.refusedAt = refusedAt
            self.error = error
            self.message = message
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            refusedAt = try object.required("refusedAt")
            error = try object.optional("error")
            message = try object.required("message")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("refusedAt", refusedAt)
            members.set("error", error)
            members.set("message", message)
        }
    }

    /// A provider that this daemon knows, and whether it can be used.
    public struct Provider: InterfaceObject, Hashable {
        public enum Kind: String, JSONConvertible, CaseIterable {
            case oauth1, oauth2, oidc, password, anonymous
        }

        public enum Flow: String, JSONConvertible, CaseIterable {
            case browser, device
        }

        public var providerID: String
        public var displayName: String
        public var kind: Provider.Kind
        public var flows: [Provider.Flow]
        /// Requested if a sign-in names no scopes.
        public var scopes: [String]
        /// The URL to register at the provider as the authorization callback URL.
        public var redirectURI: String?
        /// False while the client ID or a secret that it needs is missing; `problem` says which.
        public var configured: Bool
        public var problem: String?
        /// The last refusal since the service started, unless something succeeded there afterwards.
        public var lastRefusal: ProviderRefusal?

        public init(
            providerID: String, displayName: String, kind: Provider.Kind, flows: [Provider.Flow], scopes: [String],
            redirectURI: String? = nil, configured: Bool, problem: String? = nil, lastRefusal: ProviderRefusal? = nil
        ) {
            self.providerID = providerID
            self.displayName = displayName
            self.kind = kind
            self.flows = flows
            self.scopes = scopes
            self.redirectURI = redirectURI
            self.configured = configured
            self.problem = problem
            self.lastRefusal = lastRefusal
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            providerID = try object.required("providerID")
            displayName = try object.required("displayName")
            kind = try object.required("kind")
            flows = try object.required("flows")
            scopes = try object.required("scopes")
            redirectURI = try object.optional("redirectURI")
            configured = try object.required("configured")
            problem = try object.optional("problem")
            lastRefusal = try object.optional("lastRefusal")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("displayName", displayName)
            members.set("kind", kind)
            members.set("flows", flows)
            members.set("scopes", scopes)
            members.set("redirectURI", redirectURI)
            members.set("configured", configured)
            members.set("problem", problem)
            members.set("lastRefusal", lastRefusal)
        }
    }

    /// The result of checking one part of a provider's setup.
    public struct ProviderFinding: InterfaceObject, Hashable {
        public enum Level: String, JSONConvertible, CaseIterable {
            case ok, warn, fail
        }

        public var level: ProviderFinding.Level
        /// What was checked, such as `keys` or `client`.
        public var title: String
        public var detail: String
        /// How to fix it.
        public var advice: String?

        public init(level: ProviderFinding.Level, title: String, detail: String, advice: String? = nil) {
            self.level = level
            self.title = title
            self.detail = detail
            self.advice = advice
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            level = try object.required("level")
            title = try object.required("title")
            detail = try object.required("detail")
            advice = try object.optional("advice")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("level", level)
            members.set("title", title)
            members.set("detail", detail)
            members.set("advice", advice)
        }
    }

    /// The state of a sign-in; the last event is `completed`.
    public struct SignInEvent: InterfaceObject, Hashable {
        public enum State: String, JSONConvertible, CaseIterable {
            case authorizationPending, exchanging, completed
        }

        public var sessionID: String
        public var state: SignInEvent.State
        /// When the sign-in times out.
        public var expiresAt: String
        /// Browser flow: the page to open.
        public var authorizationURL: String?
        /// Why no browser shows the page, if the daemon should have opened it.
        public var pageProblem: String?
        /// Device flow (RFC 8628): the page and the code to show.
        public var verificationURI: String?
        public var verificationURIComplete: String?
        public var userCode: String?
        /// Completed: the credential and, unless the intent was `credential`, the result.
        public var credential: Credential?
        public var result: AuthResult?

        public init(
            sessionID: String, state: SignInEvent.State, expiresAt: String, authorizationURL: String? = nil, pageProblem: String? = nil,
            verificationURI: String? = nil, verificationURIComplete: String? = nil, userCode: String? = nil, credential: Credential? = nil,
            result: AuthResult? = nil
        ) {
            self.sessionID = sessionID
            self.state = state
            self.expiresAt = expiresAt
            self.authorizationURL = authorizationURL
            self.pageProblem = pageProblem
            self.verificationURI = verificationURI
            self.verificationURIComplete = verificationURIComplete
            self.userCode = userCode
            self.credential = credential
            self.result = result
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            sessionID = try object.required("sessionID")
            state = try object.required("state")
            expiresAt = try object.required("expiresAt")
            authorizationURL = try object.optional("authorizationURL")
            pageProblem = try object.optional("pageProblem")
            verificationURI = try object.optional("verificationURI")
            verificationURIComplete = try object.optional("verificationURIComplete")
            userCode = try object.optional("userCode")
            credential = try object.optional("credential")
            result = try object.optional("result")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("sessionID", sessionID)
            members.set("state", state)
            members.set("expiresAt", expiresAt)
            members.set("authorizationURL", authorizationURL)
            members.set("pageProblem", pageProblem)
            members.set("verificationURI", verificationURI)
            members.set("verificationURIComplete", verificationURIComplete)
            members.set("userCode", userCode)
            members.set("credential", credential)
            members.set("result", result)
        }
    }

    /// A sign-in that is in progress or has just ended.
    public struct Session: InterfaceObject, Hashable {
        public enum State: String, JSONConvertible, CaseIterable {
            case authorizationPending, exchanging, completed, failed
        }

        public enum Failure: String, JSONConvertible, CaseIterable {
            case denied, timedOut, cancelled, refused, other
        }

        public var sessionID: String
        public var providerID: String
        /// The calling program, by the name that it gave itself.
        public var app: String
        public var intent: Intent
        public var state: Session.State
        /// Why it failed: the user or the provider declined; it timed out; it was cancelled; the account rules do not allow
        /// it; or there was another reason.
        public var failure: Session.Failure?
        /// True if it has ended with a result that no program has received: AttachSession gives it, once.
        public var unfetched: Bool?
        public var startedAt: String
        public var expiresAt: String

        public init(
            sessionID: String, providerID: String, app: String, intent: Intent, state: Session.State, failure: Session.Failure? = nil,
            unfetched: Bool? = nil, startedAt: String, expiresAt: String
        ) {
            self.sessionID = sessionID
            self.providerID = providerID
            self.app = app
            self.intent = intent
            self.state = state
            self.failure = failure
            self.unfetched = unfetched
            self.startedAt = startedAt
            self.expiresAt = expiresAt
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            sessionID = try object.required("sessionID")
            providerID = try object.required("providerID")
            app = try object.required("app")
            intent = try object.required("intent")
            state = try object.required("state")
            failure = try object.optional("failure")
            unfetched = try object.optional("unfetched")
            startedAt = try object.required("startedAt")
            expiresAt = try object.required("expiresAt")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("sessionID", sessionID)
            members.set("providerID", providerID)
            members.set("app", app)
            members.set("intent", intent)
            members.set("state", state)
            members.set("failure", failure)
            members.set("unfetched", unfetched)
            members.set("startedAt", startedAt)
            members.set("expiresAt", expiresAt)
        }
    }

    /// What a provider issued. `handle` represents it in SignInWithCredential; it can be used once, until `handleExpiresAt`.
    public struct Credential: InterfaceObject, Hashable {
        public var handle: Secret?
        public var handleExpiresAt: String?
        public var providerID: String
        public var signInMethod: String
        public var accessToken: Secret?
        public var tokenType: String?
        /// When the access token expires, if the provider says so.
        public var expiresAt: String?
        public var scopes: [String]
        /// The token secret of OAuth 1.0a.
        public var secret: Secret?
        public var idToken: Secret?
        /// The nonce; the ID token contains it or its SHA-256 hash.
        public var rawNonce: Secret?

        public init(
            handle: Secret? = nil, handleExpiresAt: String? = nil, providerID: String, signInMethod: String, accessToken: Secret? = nil,
            tokenType: String? = nil, expiresAt: String? = nil, scopes: [String], secret: Secret? = nil, idToken: Secret? = nil,
            rawNonce: Secret? = nil
        ) {
            self.handle = handle
            self.handleExpiresAt = handleExpiresAt
            self.providerID = providerID
            self.signInMethod = signInMethod
            self.accessToken = accessToken
            self.tokenType = tokenType
            self.expiresAt = expiresAt
            self.scopes = scopes
            self.secret = secret
            self.idToken = idToken
            self.rawNonce = rawNonce
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            handle = try object.optional("handle")
            handleExpiresAt = try object.optional("handleExpiresAt")
            providerID = try object.required("providerID")
            signInMethod = try object.required("signInMethod")
            accessToken = try object.optional("accessToken")
            tokenType = try object.optional("tokenType")
            expiresAt = try object.optional("expiresAt")
            scopes = try object.required("scopes")
            secret = try object.optional("secret")
            idToken = try object.optional("idToken")
            rawNonce = try object.optional("rawNonce")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("handle", handle)
            members.set("handleExpiresAt", handleExpiresAt)
            members.set("providerID", providerID)
            members.set("signInMethod", signInMethod)
            members.set("accessToken", accessToken)
            members.set("tokenType", tokenType)
            members.set("expiresAt", expiresAt)
            members.set("scopes", scopes)
            members.set("secret", secret)
            members.set("idToken", idToken)
            members.set("rawNonce", rawNonce)
        }
    }

    /// One of: a handle; tokens that the app obtained itself; an email address and a password.
    public struct CredentialInput: InterfaceObject, Hashable {
        public var handle: Secret?
        public var providerID: String?
        public var accessToken: Secret?
        public var secret: Secret?
        public var idToken: Secret?
        public var rawNonce: Secret?
        public var email: String?
        public var password: Secret?

        public init(
            handle: Secret? = nil, providerID: String? = nil, accessToken: Secret? = nil, secret: Secret? = nil, idToken: Secret? = nil,
            rawNonce: Secret? = nil, email: String? = nil, password: Secret? = nil
        ) {
            self.handle = handle
            self.providerID = providerID
            self.accessToken = accessToken
            self.secret = secret
            self.idToken = idToken
            self.rawNonce = rawNonce
            self.email = email
            self.password = password
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["handle", "providerID", "accessToken", "secret", "idToken", "rawNonce", "email", "password"])
            handle = try object.optional("handle")
            providerID = try object.optional("providerID")
            accessToken = try object.optional("accessToken")
            secret = try object.optional("secret")
            idToken = try object.optional("idToken")
            rawNonce = try object.optional("rawNonce")
            email = try object.optional("email")
            password = try object.optional("password")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("handle", handle)
            members.set("providerID", providerID)
            members.set("accessToken", accessToken)
            members.set("secret", secret)
            members.set("idToken", idToken)
            members.set("rawNonce", rawNonce)
            members.set("email", email)
            members.set("password", password)
        }
    }

    /// What one linked provider says about the user.
    public struct ProviderData: InterfaceObject, Hashable {
        public var providerID: String
        /// The account at the provider.
        public var uid: String
        public var displayName: String?
        public var email: String?
        public var photoURL: String?

        public init(providerID: String, uid: String, displayName: String? = nil, email: String? = nil, photoURL: String? = nil) {
            self.providerID = providerID
            self.uid = uid
            self.displayName = displayName
            self.email = email
            self.photoURL = photoURL
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            providerID = try object.required("providerID")
            uid = try object.required("uid")
            displayName = try object.optional("displayName")
            email = try object.optional("email")
            photoURL = try object.optional("photoURL")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("displayName", displayName)
            members.set("email", email)
            members.set("photoURL", photoURL)
        }
    }

    /// A second factor that the user enrolled.
    public struct SecondFactor: InterfaceObject, Hashable {
        public enum FactorID: String, JSONConvertible, CaseIterable {
            case totp, phone
        }

        public var factorID: SecondFactor.FactorID
        public var uid: String
        public var displayName: String?
        /// Masked, as in "+81 ***-***-1234".
        public var phoneNumber: String?
        public var enrolledAt: String

        public init(
            factorID: SecondFactor.FactorID, uid: String, displayName: String? = nil, phoneNumber: String? = nil, enrolledAt: String
        ) {
            self.factorID = factorID
            self.uid = uid
            self.displayName = displayName
            self.phoneNumber = phoneNumber
            self.enrolledAt = enrolledAt
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            factorID = try object.required("factorID")
            uid = try object.required("uid")
            displayName = try object.optional("displayName")
            phoneNumber = try object.optional("phoneNumber")
            enrolledAt = try object.required("enrolledAt")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("factorID", factorID)
            members.set("uid", uid)
            members.set("displayName", displayName)
            members.set("phoneNumber", phoneNumber)
            members.set("enrolledAt", enrolledAt)
        }
    }

    /// A local user.
    public struct User: InterfaceObject, Hashable {
        /// 28 random characters; not the account at a provider.
        public var uid: String
        public var isAnonymous: Bool
        public var displayName: String?
        public var email: String?
        public var emailVerified: Bool
        public var photoURL: String?
        public var providerData: [ProviderData]
        public var secondFactors: [SecondFactor]
        public var createdAt: String
        public var lastSignInAt: String

        public init(
            uid: String, isAnonymous: Bool, displayName: String? = nil, email: String? = nil, emailVerified: Bool, photoURL: String? = nil,
            providerData: [ProviderData], secondFactors: [SecondFactor], createdAt: String, lastSignInAt: String
        ) {
            self.uid = uid
            self.isAnonymous = isAnonymous
            self.displayName = displayName
            self.email = email
            self.emailVerified = emailVerified
            self.photoURL = photoURL
            self.providerData = providerData
            self.secondFactors = secondFactors
            self.createdAt = createdAt
            self.lastSignInAt = lastSignInAt
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            uid = try object.required("uid")
            isAnonymous = try object.required("isAnonymous")
            displayName = try object.optional("displayName")
            email = try object.optional("email")
            emailVerified = try object.required("emailVerified")
            photoURL = try object.optional("photoURL")
            providerData = try object.required("providerData")
            secondFactors = try object.required("secondFactors")
            createdAt = try object.required("createdAt")
            lastSignInAt = try object.required("lastSignInAt")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("uid", uid)
            members.set("isAnonymous", isAnonymous)
            members.set("displayName", displayName)
            members.set("email", email)
            members.set("emailVerified", emailVerified)
            members.set("photoURL", photoURL)
            members.set("providerData", providerData)
            members.set("secondFactors", secondFactors)
            members.set("createdAt", createdAt)
            members.set("lastSignInAt", lastSignInAt)
        }
    }

    /// What the provider returned beyond the user record.
    public struct AdditionalUserInfo: InterfaceObject, Hashable {
        public var providerID: String
        public var isNewUser: Bool
        public var username: String?
        /// The provider's profile document, unchanged.
        public var profile: JSONObject

        public init(providerID: String, isNewUser: Bool, username: String? = nil, profile: JSONObject) {
            self.providerID = providerID
            self.isNewUser = isNewUser
            self.username = username
            self.profile = profile
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            providerID = try object.required("providerID")
            isNewUser = try object.required("isNewUser")
            username = try object.optional("username")
            profile = try object.required("profile")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("isNewUser", isNewUser)
            members.set("username", username)
            members.set("profile", profile)
        }
    }

    /// The result of an operation on the current user.
    public struct AuthResult: InterfaceObject, Hashable {
        public enum Operation: String, JSONConvertible, CaseIterable {
            case signIn, link, reauthenticate
        }

        public var user: User
        public var credential: Credential?
        public var additionalUserInfo: AdditionalUserInfo?
        public var operation: AuthResult.Operation

        public init(
            user: User, credential: Credential? = nil, additionalUserInfo: AdditionalUserInfo? = nil, operation: AuthResult.Operation
        ) {
            self.user = user
            self.credential = credential
            self.additionalUserInfo = additionalUserInfo
            self.operation = operation
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            user = try object.required("user")
            credential = try object.optional("credential")
            additionalUserInfo = try object.optional("additionalUserInfo")
            operation = try object.required("operation")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("user", user)
            members.set("credential", credential)
            members.set("additionalUserInfo", additionalUserInfo)
            members.set("operation", operation)
        }
    }

    /// A credential in the store, without its secrets.
    public struct StoredCredential: InterfaceObject, Hashable {
        public var providerID: String
        /// The account at the provider.
        public var uid: String
        public var displayName: String?
        public var email: String?
        /// The name of its [account.NAME] in the configuration.
        public var account: String?
        public var scopes: [String]
        /// When the access token expires, if it does.
        public var expiresAt: String?
        /// True if a new access token can be obtained without the user.
        public var refreshable: Bool
        public var state: CredentialState
        /// When the credential expires, if that is known and near.
        public var endsAt: String?
        public var reason: String?

        public init(
            providerID: String, uid: String, displayName: String? = nil, email: String? = nil, account: String? = nil, scopes: [String],
            expiresAt: String? = nil, refreshable: Bool, state: CredentialState, endsAt: String? = nil, reason: String? = nil
        ) {
            self.providerID = providerID
            self.uid = uid
            self.displayName = displayName
            self.email = email
            self.account = account
            self.scopes = scopes
            self.expiresAt = expiresAt
            self.refreshable = refreshable
            self.state = state
            self.endsAt = endsAt
            self.reason = reason
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            providerID = try object.required("providerID")
            uid = try object.required("uid")
            displayName = try object.optional("displayName")
            email = try object.optional("email")
            account = try object.optional("account")
            scopes = try object.required("scopes")
            expiresAt = try object.optional("expiresAt")
            refreshable = try object.required("refreshable")
            state = try object.required("state")
            endsAt = try object.optional("endsAt")
            reason = try object.optional("reason")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("displayName", displayName)
            members.set("email", email)
            members.set("account", account)
            members.set("scopes", scopes)
            members.set("expiresAt", expiresAt)
            members.set("refreshable", refreshable)
            members.set("state", state)
            members.set("endsAt", endsAt)
            members.set("reason", reason)
        }
    }

    /// One parameter of a form body.
    public struct FormParameter: InterfaceObject, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["name", "value"])
            name = try object.required("name")
            value = try object.required("value")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("name", name)
            members.set("value", value)
        }
    }

    /// An account whose tokens are for a URL.
    public struct ServedAccount: InterfaceObject, Hashable {
        public var providerID: String
        /// The account at the provider; absent if nobody has signed in.
        public var uid: String?
        /// The name of its [account.NAME] in the configuration.
        public var account: String?
        public var displayName: String?
        /// The configured URL that matched.
        public var prefix: String
        /// True if the URL is built into Postern, and the user has configured none.
        public var builtIn: Bool?
        public var signedIn: Bool

        public init(
            providerID: String, uid: String? = nil, account: String? = nil, displayName: String? = nil, prefix: String,
            builtIn: Bool? = nil, signedIn: Bool
        ) {
            self.providerID = providerID
            self.uid = uid
            self.account = account
            self.displayName = displayName
            self.prefix = prefix
            self.builtIn = builtIn
            self.signedIn = signedIn
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            providerID = try object.required("providerID")
            uid = try object.optional("uid")
            account = try object.optional("account")
            displayName = try object.optional("displayName")
            prefix = try object.required("prefix")
            builtIn = try object.optional("builtIn")
            signedIn = try object.required("signedIn")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("account", account)
            members.set("displayName", displayName)
            members.set("prefix", prefix)
            members.set("builtIn", builtIn)
            members.set("signedIn", signedIn)
        }
    }
}
