// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import Secrets
import StrictJSON

extension Interface {
    /// What to do with the credential once the provider has issued it:
    /// signIn creates or finds the local user; link adds it to the app's current user;
    /// reauthenticate proves that the current user is still present; credential only returns it;
    /// keep stores it as an account of the person, and concerns no user of any app. SignInWithCredential does not take keep.
    public enum Intent: String, JSONConvertible, CaseIterable {
        case signIn, link, reauthenticate, credential, keep
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
            (self.refusedAt, self.error, self.message) = (refusedAt, error, message)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(refusedAt: object.required("refusedAt"), error: object.optional("error"), message: object.required("message"))
        }

        public var memberList: [JSONMember] {
            [JSONMember("refusedAt", refusedAt), JSONMember("error", error), JSONMember("message", message)]
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
        /// False if the provider says nothing about who signs in. An account there is its name: its `uid` is the name under which
        /// the sign-in was, and whoever signs in under it takes its place. No user of an app can be signed in.
        public var namesPeople: Bool?

        public init(
            providerID: String, displayName: String, kind: Provider.Kind, flows: [Provider.Flow], scopes: [String],
            redirectURI: String? = nil, configured: Bool, problem: String? = nil, lastRefusal: ProviderRefusal? = nil,
            namesPeople: Bool? = nil
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
            self.namesPeople = namesPeople
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                providerID: object.required("providerID"), displayName: object.required("displayName"), kind: object.required("kind"),
                flows: object.required("flows"), scopes: object.required("scopes"), redirectURI: object.optional("redirectURI"),
                configured: object.required("configured"), problem: object.optional("problem"), lastRefusal: object.optional("lastRefusal"),
                namesPeople: object.optional("namesPeople")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("displayName", displayName), JSONMember("kind", kind),
                JSONMember("flows", flows), JSONMember("scopes", scopes), JSONMember("redirectURI", redirectURI),
                JSONMember("configured", configured), JSONMember("problem", problem), JSONMember("lastRefusal", lastRefusal),
                JSONMember("namesPeople", namesPeople),
            ]
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
            (self.level, self.title, self.detail, self.advice) = (level, title, detail, advice)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                level: object.required("level"), title: object.required("title"), detail: object.required("detail"),
                advice: object.optional("advice")
            )
        }

        public var memberList: [JSONMember] {
            [JSONMember("level", level), JSONMember("title", title), JSONMember("detail", detail), JSONMember("advice", advice)]
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
        /// After a challenge: the scopes that are asked for, to be shown before the page is opened.
        public var scopes: [String]?
        /// Completed: the credential and, unless the intent was `credential`, the result. After `keep`, the account and nothing else.
        public var credential: Credential?
        public var result: AuthResult?
        public var account: StoredCredential?

        public init(
            sessionID: String, state: SignInEvent.State, expiresAt: String, authorizationURL: String? = nil, pageProblem: String? = nil,
            verificationURI: String? = nil, verificationURIComplete: String? = nil, userCode: String? = nil, scopes: [String]? = nil,
            credential: Credential? = nil, result: AuthResult? = nil, account: StoredCredential? = nil
        ) {
            self.sessionID = sessionID
            self.state = state
            self.expiresAt = expiresAt
            self.authorizationURL = authorizationURL
            self.pageProblem = pageProblem
            self.verificationURI = verificationURI
            self.verificationURIComplete = verificationURIComplete
            self.userCode = userCode
            self.scopes = scopes
            self.credential = credential
            self.result = result
            self.account = account
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                sessionID: object.required("sessionID"), state: object.required("state"), expiresAt: object.required("expiresAt"),
                authorizationURL: object.optional("authorizationURL"), pageProblem: object.optional("pageProblem"),
                verificationURI: object.optional("verificationURI"), verificationURIComplete: object.optional("verificationURIComplete"),
                userCode: object.optional("userCode"), scopes: object.optional("scopes"), credential: object.optional("credential"),
                result: object.optional("result"), account: object.optional("account")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("sessionID", sessionID), JSONMember("state", state), JSONMember("expiresAt", expiresAt),
                JSONMember("authorizationURL", authorizationURL), JSONMember("pageProblem", pageProblem),
                JSONMember("verificationURI", verificationURI), JSONMember("verificationURIComplete", verificationURIComplete),
                JSONMember("userCode", userCode), JSONMember("scopes", scopes), JSONMember("credential", credential),
                JSONMember("result", result), JSONMember("account", account),
            ]
        }
    }

    /// What the user was shown of an MCP server, and agreed to: as ResolveResource said it.
    public struct AgreedServer: InterfaceObject, Hashable {
        public var issuer: String
        public var resource: String?
        /// The hosts at which the issuer may have endpoints, besides its own.
        public var endpointHosts: [String]
        public var scopes: [String]

        public init(issuer: String, resource: String? = nil, endpointHosts: [String], scopes: [String]) {
            (self.issuer, self.resource, self.endpointHosts, self.scopes) = (issuer, resource, endpointHosts, scopes)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["issuer", "resource", "endpointHosts", "scopes"])
            try self.init(
                issuer: object.required("issuer"), resource: object.optional("resource"), endpointHosts: object.required("endpointHosts"),
                scopes: object.required("scopes")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("issuer", issuer), JSONMember("resource", resource), JSONMember("endpointHosts", endpointHosts),
                JSONMember("scopes", scopes),
            ]
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
        /// The account's name in the configuration, if the program gave that in place of the provider's.
        public var account: String?
        /// The calling program, by the name that it gave itself; empty if the intent is `keep`.
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
        /// After a challenge: the scopes that are asked for.
        public var scopes: [String]?

        public init(
            sessionID: String, providerID: String, account: String? = nil, app: String, intent: Intent, state: Session.State,
            failure: Session.Failure? = nil, unfetched: Bool? = nil, startedAt: String, expiresAt: String, scopes: [String]? = nil
        ) {
            self.sessionID = sessionID
            self.providerID = providerID
            self.account = account
            self.app = app
            self.intent = intent
            self.state = state
            self.failure = failure
            self.unfetched = unfetched
            self.startedAt = startedAt
            self.expiresAt = expiresAt
            self.scopes = scopes
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                sessionID: object.required("sessionID"), providerID: object.required("providerID"), account: object.optional("account"),
                app: object.required("app"), intent: object.required("intent"), state: object.required("state"),
                failure: object.optional("failure"), unfetched: object.optional("unfetched"), startedAt: object.required("startedAt"),
                expiresAt: object.required("expiresAt"), scopes: object.optional("scopes")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("sessionID", sessionID), JSONMember("providerID", providerID), JSONMember("account", account),
                JSONMember("app", app), JSONMember("intent", intent), JSONMember("state", state), JSONMember("failure", failure),
                JSONMember("unfetched", unfetched), JSONMember("startedAt", startedAt), JSONMember("expiresAt", expiresAt),
                JSONMember("scopes", scopes),
            ]
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
            try self.init(
                handle: object.optional("handle"), handleExpiresAt: object.optional("handleExpiresAt"),
                providerID: object.required("providerID"), signInMethod: object.required("signInMethod"),
                accessToken: object.optional("accessToken"), tokenType: object.optional("tokenType"),
                expiresAt: object.optional("expiresAt"), scopes: object.required("scopes"), secret: object.optional("secret"),
                idToken: object.optional("idToken"), rawNonce: object.optional("rawNonce")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("handle", handle), JSONMember("handleExpiresAt", handleExpiresAt), JSONMember("providerID", providerID),
                JSONMember("signInMethod", signInMethod), JSONMember("accessToken", accessToken), JSONMember("tokenType", tokenType),
                JSONMember("expiresAt", expiresAt), JSONMember("scopes", scopes), JSONMember("secret", secret),
                JSONMember("idToken", idToken), JSONMember("rawNonce", rawNonce),
            ]
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
            try self.init(
                handle: object.optional("handle"), providerID: object.optional("providerID"), accessToken: object.optional("accessToken"),
                secret: object.optional("secret"), idToken: object.optional("idToken"), rawNonce: object.optional("rawNonce"),
                email: object.optional("email"), password: object.optional("password")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("handle", handle), JSONMember("providerID", providerID), JSONMember("accessToken", accessToken),
                JSONMember("secret", secret), JSONMember("idToken", idToken), JSONMember("rawNonce", rawNonce), JSONMember("email", email),
                JSONMember("password", password),
            ]
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
            (self.providerID, self.uid, self.displayName, self.email, self.photoURL) = (providerID, uid, displayName, email, photoURL)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                providerID: object.required("providerID"), uid: object.required("uid"), displayName: object.optional("displayName"),
                email: object.optional("email"), photoURL: object.optional("photoURL")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("displayName", displayName),
                JSONMember("email", email), JSONMember("photoURL", photoURL),
            ]
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
            try self.init(
                factorID: object.required("factorID"), uid: object.required("uid"), displayName: object.optional("displayName"),
                phoneNumber: object.optional("phoneNumber"), enrolledAt: object.required("enrolledAt")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("factorID", factorID), JSONMember("uid", uid), JSONMember("displayName", displayName),
                JSONMember("phoneNumber", phoneNumber), JSONMember("enrolledAt", enrolledAt),
            ]
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
            try self.init(
                uid: object.required("uid"), isAnonymous: object.required("isAnonymous"), displayName: object.optional("displayName"),
                email: object.optional("email"), emailVerified: object.required("emailVerified"), photoURL: object.optional("photoURL"),
                providerData: object.required("providerData"), secondFactors: object.required("secondFactors"),
                createdAt: object.required("createdAt"), lastSignInAt: object.required("lastSignInAt")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("uid", uid), JSONMember("isAnonymous", isAnonymous), JSONMember("displayName", displayName),
                JSONMember("email", email), JSONMember("emailVerified", emailVerified), JSONMember("photoURL", photoURL),
                JSONMember("providerData", providerData), JSONMember("secondFactors", secondFactors), JSONMember("createdAt", createdAt),
                JSONMember("lastSignInAt", lastSignInAt),
            ]
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
            (self.providerID, self.isNewUser, self.username, self.profile) = (providerID, isNewUser, username, profile)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                providerID: object.required("providerID"), isNewUser: object.required("isNewUser"), username: object.optional("username"),
                profile: object.required("profile")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("isNewUser", isNewUser), JSONMember("username", username),
                JSONMember("profile", profile),
            ]
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
            (self.user, self.credential, self.additionalUserInfo, self.operation) = (user, credential, additionalUserInfo, operation)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                user: object.required("user"), credential: object.optional("credential"),
                additionalUserInfo: object.optional("additionalUserInfo"), operation: object.required("operation")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("user", user), JSONMember("credential", credential), JSONMember("additionalUserInfo", additionalUserInfo),
                JSONMember("operation", operation),
            ]
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
        /// For an account of the person's whose access token expires, and that has no refresh token: what would bring one.
        public var renewalAdvice: String?
        /// Who keeps it: apps whose users have it, by name; the empty name is the person.
        public var keptBy: [String]?

        public init(
            providerID: String, uid: String, displayName: String? = nil, email: String? = nil, account: String? = nil, scopes: [String],
            expiresAt: String? = nil, refreshable: Bool, state: CredentialState, endsAt: String? = nil, reason: String? = nil,
            renewalAdvice: String? = nil, keptBy: [String]? = nil
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
            self.renewalAdvice = renewalAdvice
            self.keptBy = keptBy
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                providerID: object.required("providerID"), uid: object.required("uid"), displayName: object.optional("displayName"),
                email: object.optional("email"), account: object.optional("account"), scopes: object.required("scopes"),
                expiresAt: object.optional("expiresAt"), refreshable: object.required("refreshable"), state: object.required("state"),
                endsAt: object.optional("endsAt"), reason: object.optional("reason"), renewalAdvice: object.optional("renewalAdvice"),
                keptBy: object.optional("keptBy")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("displayName", displayName),
                JSONMember("email", email), JSONMember("account", account), JSONMember("scopes", scopes),
                JSONMember("expiresAt", expiresAt), JSONMember("refreshable", refreshable), JSONMember("state", state),
                JSONMember("endsAt", endsAt), JSONMember("reason", reason), JSONMember("renewalAdvice", renewalAdvice),
                JSONMember("keptBy", keptBy),
            ]
        }
    }

    /// One parameter of a form body.
    public struct FormParameter: InterfaceObject, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["name", "value"])
            try self.init(name: object.required("name"), value: object.required("value"))
        }

        public var memberList: [JSONMember] { [JSONMember("name", name), JSONMember("value", value)] }
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
        /// True if the URL is built into Postern, and `serves` names none that is closer.
        public var builtIn: Bool?
        public var signedIn: Bool
        /// 1 for the closest; accounts of one rank are equally close.
        public var rank: Int

        public init(
            providerID: String, uid: String? = nil, account: String? = nil, displayName: String? = nil, prefix: String,
            builtIn: Bool? = nil, signedIn: Bool, rank: Int
        ) {
            self.providerID = providerID
            self.uid = uid
            self.account = account
            self.displayName = displayName
            self.prefix = prefix
            self.builtIn = builtIn
            self.signedIn = signedIn
            self.rank = rank
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try self.init(
                providerID: object.required("providerID"), uid: object.optional("uid"), account: object.optional("account"),
                displayName: object.optional("displayName"), prefix: object.required("prefix"), builtIn: object.optional("builtIn"),
                signedIn: object.required("signedIn"), rank: object.required("rank")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("account", account),
                JSONMember("displayName", displayName), JSONMember("prefix", prefix), JSONMember("builtIn", builtIn),
                JSONMember("signedIn", signedIn), JSONMember("rank", rank),
            ]
        }
    }
}
