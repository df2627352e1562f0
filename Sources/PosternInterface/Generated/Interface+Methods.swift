// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import Secrets
import StrictJSON

extension Interface {
    /// The methods of the interface.
    public enum Method: String, CaseIterable, Sendable {
        case listProviders = "ListProviders"
        case checkProvider = "CheckProvider"
        case resolveResource = "ResolveResource"
        case signIn = "SignIn"
        case listSessions = "ListSessions"
        case attachSession = "AttachSession"
        case cancelSession = "CancelSession"
        case deliverRedirect = "DeliverRedirect"
        case signInWithCredential = "SignInWithCredential"
        case signInAnonymously = "SignInAnonymously"
        case createUser = "CreateUser"
        case getCurrentUser = "GetCurrentUser"
        case updateUser = "UpdateUser"
        case unlinkProvider = "UnlinkProvider"
        case fetchProviders = "FetchProviders"
        case signOut = "SignOut"
        case deleteUser = "DeleteUser"
        case getUserToken = "GetUserToken"
        case enrollSecondFactor = "EnrollSecondFactor"
        case confirmSecondFactor = "ConfirmSecondFactor"
        case removeSecondFactor = "RemoveSecondFactor"
        case startSecondFactor = "StartSecondFactor"
        case resolveSecondFactor = "ResolveSecondFactor"
        case listCredentials = "ListCredentials"
        case getAccessToken = "GetAccessToken"
        case getIDToken = "GetIDToken"
        case authorizeRequest = "AuthorizeRequest"
        case reportRefusedToken = "ReportRefusedToken"
        case findAccount = "FindAccount"
        case getRoute = "GetRoute"
        case importCredential = "ImportCredential"
        case revokeCredential = "RevokeCredential"
        case getStatus = "GetStatus"
        case reload = "Reload"
        case lock = "Lock"
        case unlock = "Unlock"
        case monitor = "Monitor"

        /// What has to be there before the method is carried out.
        public var needs: Needs {
            switch self {
            case .listProviders, .checkProvider, .resolveResource: [.client]
            case .signIn, .getAccessToken, .getIDToken, .authorizeRequest, .reportRefusedToken, .importCredential, .revokeCredential:
                [.store, .client]
            case .listSessions, .attachSession, .cancelSession, .deliverRedirect, .signInWithCredential, .signInAnonymously, .createUser,
                .getCurrentUser, .updateUser, .unlinkProvider, .fetchProviders, .signOut, .deleteUser, .getUserToken, .enrollSecondFactor,
                .confirmSecondFactor, .removeSecondFactor, .startSecondFactor, .resolveSecondFactor, .listCredentials, .findAccount:
                [.store]
            case .getStatus: [.opening]
            default: []
            }
        }

        /// The number of its replies.
        public var replies: ReplyCount {
            switch self {
            case .signIn, .attachSession: .many
            case .monitor: .endless
            default: .one
            }
        }
    }

    /// The configured providers.
    public struct ListProviders: MethodParameters, Hashable {
        public static let method = Method.listProviders

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public var providers: [Provider]

            public init(providers: [Provider]) { self.providers = providers }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(providers: object.required("providers")) }

            public var memberList: [JSONMember] { [JSONMember("providers", providers)] }
        }
    }

    /// Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
    /// it accepts the client ID and secret. Nobody is signed in, and no token is stored.
    /// `authorizationURL`: the page that a sign-in would open.
    /// `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
    public struct CheckProvider: MethodParameters, Hashable {
        public static let method = Method.checkProvider

        public var providerID: String
        public var issuer: String?

        public init(providerID: String, issuer: String? = nil) {
            (self.providerID, self.issuer) = (providerID, issuer)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "issuer"])
            try self.init(providerID: object.required("providerID"), issuer: object.optional("issuer"))
        }

        public var memberList: [JSONMember] { [JSONMember("providerID", providerID), JSONMember("issuer", issuer)] }

        public struct Reply: InterfaceObject, Hashable {
            public var findings: [ProviderFinding]
            public var authorizationURL: String?

            public init(findings: [ProviderFinding], authorizationURL: String? = nil) {
                (self.findings, self.authorizationURL) = (findings, authorizationURL)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(findings: object.required("findings"), authorizationURL: object.optional("authorizationURL"))
            }

            public var memberList: [JSONMember] { [JSONMember("findings", findings), JSONMember("authorizationURL", authorizationURL)] }
        }
    }

    /// What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC 9728), who issues
    /// them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is stored.
    /// `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the URL a request of its own.
    /// `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is examined as one that is not configured.
    public struct ResolveResource: MethodParameters, Hashable {
        public static let method = Method.resolveResource

        public var url: String
        public var challenge: [String]?
        public var name: String?

        public init(url: String, challenge: [String]? = nil, name: String? = nil) {
            (self.url, self.challenge, self.name) = (url, challenge, name)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url", "challenge", "name"])
            try self.init(url: object.required("url"), challenge: object.optional("challenge"), name: object.optional("name"))
        }

        public var memberList: [JSONMember] { [JSONMember("url", url), JSONMember("challenge", challenge), JSONMember("name", name)] }

        public struct Reply: InterfaceObject, Hashable {
            public enum Registration: String, JSONConvertible, CaseIterable {
                case configured, document, dynamic, none
            }

            /// As it is sent to the issuer (RFC 8707); absent if none is.
            public var resource: String?
            /// The name of its [mcp.NAME] in the configuration, which has exactly this URL.
            public var name: String?
            public var issuer: String?
            /// Other hosts than the issuer's own at which it has endpoints: it is not used before the user agrees to each (`endpoint-hosts`
            /// of [mcp.NAME]). Absent if there are none, or if one is another issuer's, so that nobody can agree to it.
            public var endpointHosts: [String]?
            /// What a sign-in requests.
            public var scopes: [String]
            /// The client: one of the configuration, the client document, one that the issuer registers, or none.
            public var registration: ResolveResource.Reply.Registration
            public var signedIn: Bool
            public var findings: [ProviderFinding]

            public init(
                resource: String? = nil, name: String? = nil, issuer: String? = nil, endpointHosts: [String]? = nil, scopes: [String],
                registration: ResolveResource.Reply.Registration, signedIn: Bool, findings: [ProviderFinding]
            ) {
                self.resource = resource
                self.name = name
                self.issuer = issuer
                self.endpointHosts = endpointHosts
                self.scopes = scopes
                self.registration = registration
                self.signedIn = signedIn
                self.findings = findings
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    resource: object.optional("resource"), name: object.optional("name"), issuer: object.optional("issuer"),
                    endpointHosts: object.optional("endpointHosts"), scopes: object.required("scopes"),
                    registration: object.required("registration"), signedIn: object.required("signedIn"),
                    findings: object.required("findings")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("resource", resource), JSONMember("name", name), JSONMember("issuer", issuer),
                    JSONMember("endpointHosts", endpointHosts), JSONMember("scopes", scopes), JSONMember("registration", registration),
                    JSONMember("signedIn", signedIn), JSONMember("findings", findings),
                ]
            }
        }
    }

    /// Signs the user in through a provider, or does what `intent` says instead.
    /// With `more`: an event at every change, the last one `completed`. Without it: only the last event.
    /// `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
    /// `client` leaves it to the caller, which needs `more` to learn the URL.
    public struct SignIn: MethodParameters, Hashable {
        public static let method = Method.signIn

        public enum Presentation: String, JSONConvertible, CaseIterable {
            case daemon, client
        }

        public var providerID: String
        /// signIn if not given.
        public var intent: Intent?
        /// The app whose user this is about; `default` if not given. An error with `keep`.
        public var app: String?
        /// Requested instead of the configured scopes; with `keep` beside those that the account has.
        public var scopes: [String]?
        /// Additional parameters of the authorization request; names that the protocol uses are refused.
        public var customParameters: [String: String]?
        /// The account that the program expects: an address or a name.
        public var loginHint: String?
        public var flow: Provider.Flow?
        public var presentation: SignIn.Presentation?
        /// 1 to 3600; 600 if not given.
        public var timeoutSeconds: Int?
        /// The handle that AccountNotConfirmed gave for the same account: the person says that it is theirs. It is kept, without another page.
        public var confirmation: Secret?
        /// The values of `WWW-Authenticate` with which a server refused a request: the sign-in asks for what they demand besides
        /// what the account has. Not with signIn and link. What was refused is not asked for again within ten minutes.
        public var challenge: [String]?
        /// At an [mcp.NAME]: nothing is sent to the issuer if the server or the issuer says something else now (ServerChanged).
        public var agreed: AgreedServer?

        public init(
            providerID: String, intent: Intent? = nil, app: String? = nil, scopes: [String]? = nil,
            customParameters: [String: String]? = nil, loginHint: String? = nil, flow: Provider.Flow? = nil,
            presentation: SignIn.Presentation? = nil, timeoutSeconds: Int? = nil, confirmation: Secret? = nil, challenge: [String]? = nil,
            agreed: AgreedServer? = nil
        ) {
            self.providerID = providerID
            self.intent = intent
            self.app = app
            self.scopes = scopes
            self.customParameters = customParameters
            self.loginHint = loginHint
            self.flow = flow
            self.presentation = presentation
            self.timeoutSeconds = timeoutSeconds
            self.confirmation = confirmation
            self.challenge = challenge
            self.agreed = agreed
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([
                "providerID", "intent", "app", "scopes", "customParameters", "loginHint", "flow", "presentation", "timeoutSeconds",
                "confirmation", "challenge", "agreed",
            ])
            try self.init(
                providerID: object.required("providerID"), intent: object.optional("intent"), app: object.optional("app"),
                scopes: object.optional("scopes"), customParameters: object.optional("customParameters"),
                loginHint: object.optional("loginHint"), flow: object.optional("flow"), presentation: object.optional("presentation"),
                timeoutSeconds: object.optional("timeoutSeconds"), confirmation: object.optional("confirmation"),
                challenge: object.optional("challenge"), agreed: object.optional("agreed")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("intent", intent), JSONMember("app", app), JSONMember("scopes", scopes),
                JSONMember("customParameters", customParameters), JSONMember("loginHint", loginHint), JSONMember("flow", flow),
                JSONMember("presentation", presentation), JSONMember("timeoutSeconds", timeoutSeconds),
                JSONMember("confirmation", confirmation), JSONMember("challenge", challenge), JSONMember("agreed", agreed),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var event: SignInEvent

            public init(event: SignInEvent) { self.event = event }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(event: object.required("event")) }

            public var memberList: [JSONMember] { [JSONMember("event", event)] }
        }
    }

    /// The sign-ins in progress, and those that ended within about the last ten minutes.
    public struct ListSessions: MethodParameters, Hashable {
        public static let method = Method.listSessions

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public var sessions: [Session]

            public init(sessions: [Session]) { self.sessions = sessions }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(sessions: object.required("sessions")) }

            public var memberList: [JSONMember] { [JSONMember("sessions", sessions)] }
        }
    }

    /// Rejoins a sign-in after a lost connection or a restart of the daemon.
    /// With `more`: an event at every change, as in SignIn. Without it: only the last event.
    /// A completed result can be fetched until it has been delivered once or has expired.
    /// `flow`: a way to answer that the sign-in is to have in addition to its own.
    public struct AttachSession: MethodParameters, Hashable {
        public static let method = Method.attachSession

        public var sessionID: String
        public var flow: Provider.Flow?

        public init(sessionID: String, flow: Provider.Flow? = nil) {
            (self.sessionID, self.flow) = (sessionID, flow)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["sessionID", "flow"])
            try self.init(sessionID: object.required("sessionID"), flow: object.optional("flow"))
        }

        public var memberList: [JSONMember] { [JSONMember("sessionID", sessionID), JSONMember("flow", flow)] }

        public struct Reply: InterfaceObject, Hashable {
            public var event: SignInEvent

            public init(event: SignInEvent) { self.event = event }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(event: object.required("event")) }

            public var memberList: [JSONMember] { [JSONMember("event", event)] }
        }
    }

    /// Cancels a sign-in for every program that waits for it.
    public struct CancelSession: MethodParameters, Hashable {
        public static let method = Method.cancelSession

        public var sessionID: String

        public init(sessionID: String) { self.sessionID = sessionID }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["sessionID"])
            try self.init(sessionID: object.required("sessionID"))
        }

        public var memberList: [JSONMember] { [JSONMember("sessionID", sessionID)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
    public struct DeliverRedirect: MethodParameters, Hashable {
        public static let method = Method.deliverRedirect

        public var url: Secret

        public init(url: Secret) { self.url = url }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url"])
            try self.init(url: object.required("url"))
        }

        public var memberList: [JSONMember] { [JSONMember("url", url)] }

        public struct Reply: InterfaceObject, Hashable {
            public var sessionID: String

            public init(sessionID: String) { self.sessionID = sessionID }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(sessionID: object.required("sessionID")) }

            public var memberList: [JSONMember] { [JSONMember("sessionID", sessionID)] }
        }
    }

    /// Signs in, links or reauthenticates with an existing credential.
    public struct SignInWithCredential: MethodParameters, Hashable {
        public static let method = Method.signInWithCredential

        public var credential: CredentialInput
        public var intent: Intent?
        public var app: String?

        public init(credential: CredentialInput, intent: Intent? = nil, app: String? = nil) {
            (self.credential, self.intent, self.app) = (credential, intent, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["credential", "intent", "app"])
            try self.init(credential: object.required("credential"), intent: object.optional("intent"), app: object.optional("app"))
        }

        public var memberList: [JSONMember] {
            [JSONMember("credential", credential), JSONMember("intent", intent), JSONMember("app", app)]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) { self.result = result }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(result: object.required("result")) }

            public var memberList: [JSONMember] { [JSONMember("result", result)] }
        }
    }

    /// Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
    /// same `uid`.
    public struct SignInAnonymously: MethodParameters, Hashable {
        public static let method = Method.signInAnonymously

        public var app: String?

        public init(app: String? = nil) { self.app = app }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            try self.init(app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) { self.result = result }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(result: object.required("result")) }

            public var memberList: [JSONMember] { [JSONMember("result", result)] }
        }
    }

    /// Creates a user with a password, and makes them the app's current user.
    public struct CreateUser: MethodParameters, Hashable {
        public static let method = Method.createUser

        public var email: String
        public var password: Secret
        public var displayName: String?
        public var app: String?

        public init(email: String, password: Secret, displayName: String? = nil, app: String? = nil) {
            (self.email, self.password, self.displayName, self.app) = (email, password, displayName, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["email", "password", "displayName", "app"])
            try self.init(
                email: object.required("email"), password: object.required("password"), displayName: object.optional("displayName"),
                app: object.optional("app")
            )
        }

        public var memberList: [JSONMember] {
            [JSONMember("email", email), JSONMember("password", password), JSONMember("displayName", displayName), JSONMember("app", app)]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) { self.result = result }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(result: object.required("result")) }

            public var memberList: [JSONMember] { [JSONMember("result", result)] }
        }
    }

    /// The app's current user; absent if nobody is signed in.
    public struct GetCurrentUser: MethodParameters, Hashable {
        public static let method = Method.getCurrentUser

        public var app: String?

        public init(app: String? = nil) { self.app = app }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            try self.init(app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User?

            public init(user: User? = nil) { self.user = user }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(user: object.optional("user")) }

            public var memberList: [JSONMember] { [JSONMember("user", user)] }
        }
    }

    /// Changes what is given of the current user. An empty name or photo URL removes the present one. A new address or
    /// password needs a sign-in within the last five minutes.
    public struct UpdateUser: MethodParameters, Hashable {
        public static let method = Method.updateUser

        public var app: String?
        public var displayName: String?
        public var photoURL: String?
        public var email: String?
        public var password: Secret?

        public init(
            app: String? = nil, displayName: String? = nil, photoURL: String? = nil, email: String? = nil, password: Secret? = nil
        ) {
            (self.app, self.displayName, self.photoURL, self.email, self.password) = (app, displayName, photoURL, email, password)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app", "displayName", "photoURL", "email", "password"])
            try self.init(
                app: object.optional("app"), displayName: object.optional("displayName"), photoURL: object.optional("photoURL"),
                email: object.optional("email"), password: object.optional("password")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("app", app), JSONMember("displayName", displayName), JSONMember("photoURL", photoURL),
                JSONMember("email", email), JSONMember("password", password),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) { self.user = user }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(user: object.required("user")) }

            public var memberList: [JSONMember] { [JSONMember("user", user)] }
        }
    }

    /// Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
    public struct UnlinkProvider: MethodParameters, Hashable {
        public static let method = Method.unlinkProvider

        public var providerID: String
        public var app: String?

        public init(providerID: String, app: String? = nil) {
            (self.providerID, self.app) = (providerID, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "app"])
            try self.init(providerID: object.required("providerID"), app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("providerID", providerID), JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) { self.user = user }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(user: object.required("user")) }

            public var memberList: [JSONMember] { [JSONMember("user", user)] }
        }
    }

    /// The ways to sign in with an address. An empty list does not prove that no user has the address.
    public struct FetchProviders: MethodParameters, Hashable {
        public static let method = Method.fetchProviders

        public var email: String

        public init(email: String) { self.email = email }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["email"])
            try self.init(email: object.required("email"))
        }

        public var memberList: [JSONMember] { [JSONMember("email", email)] }

        public struct Reply: InterfaceObject, Hashable {
            public var providerIDs: [String]

            public init(providerIDs: [String]) { self.providerIDs = providerIDs }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(providerIDs: object.required("providerIDs")) }

            public var memberList: [JSONMember] { [JSONMember("providerIDs", providerIDs)] }
        }
    }

    /// Forgets the app's current user; the user and their credentials stay.
    public struct SignOut: MethodParameters, Hashable {
        public static let method = Method.signOut

        public var app: String?

        public init(app: String? = nil) { self.app = app }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            try self.init(app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
    public struct DeleteUser: MethodParameters, Hashable {
        public static let method = Method.deleteUser

        public var app: String?

        public init(app: String? = nil) { self.app = app }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            try self.init(app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
    /// (ES256); the public key is at /.well-known/jwks.json on the callback listener.
    public struct GetUserToken: MethodParameters, Hashable {
        public static let method = Method.getUserToken

        public var audience: String
        public var app: String?

        public init(audience: String, app: String? = nil) {
            (self.audience, self.app) = (audience, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["audience", "app"])
            try self.init(audience: object.required("audience"), app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("audience", audience), JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public var idToken: Secret
            public var expiresAt: String

            public init(idToken: Secret, expiresAt: String) {
                (self.idToken, self.expiresAt) = (idToken, expiresAt)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(idToken: object.required("idToken"), expiresAt: object.required("expiresAt"))
            }

            public var memberList: [JSONMember] { [JSONMember("idToken", idToken), JSONMember("expiresAt", expiresAt)] }
        }
    }

    /// Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone.
    public struct EnrollSecondFactor: MethodParameters, Hashable {
        public static let method = Method.enrollSecondFactor

        public var factorID: SecondFactor.FactorID
        public var phoneNumber: String?
        public var displayName: String?
        public var app: String?

        public init(factorID: SecondFactor.FactorID, phoneNumber: String? = nil, displayName: String? = nil, app: String? = nil) {
            (self.factorID, self.phoneNumber, self.displayName, self.app) = (factorID, phoneNumber, displayName, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["factorID", "phoneNumber", "displayName", "app"])
            try self.init(
                factorID: object.required("factorID"), phoneNumber: object.optional("phoneNumber"),
                displayName: object.optional("displayName"), app: object.optional("app")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("factorID", factorID), JSONMember("phoneNumber", phoneNumber), JSONMember("displayName", displayName),
                JSONMember("app", app),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var enrollmentID: Secret
            public var secret: Secret?
            public var provisioningURI: Secret?

            public init(enrollmentID: Secret, secret: Secret? = nil, provisioningURI: Secret? = nil) {
                (self.enrollmentID, self.secret, self.provisioningURI) = (enrollmentID, secret, provisioningURI)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    enrollmentID: object.required("enrollmentID"), secret: object.optional("secret"),
                    provisioningURI: object.optional("provisioningURI")
                )
            }

            public var memberList: [JSONMember] {
                [JSONMember("enrollmentID", enrollmentID), JSONMember("secret", secret), JSONMember("provisioningURI", provisioningURI)]
            }
        }
    }

    /// Completes the enrolment with the first code.
    public struct ConfirmSecondFactor: MethodParameters, Hashable {
        public static let method = Method.confirmSecondFactor

        public var enrollmentID: Secret
        public var verificationCode: Secret
        public var app: String?

        public init(enrollmentID: Secret, verificationCode: Secret, app: String? = nil) {
            (self.enrollmentID, self.verificationCode, self.app) = (enrollmentID, verificationCode, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["enrollmentID", "verificationCode", "app"])
            try self.init(
                enrollmentID: object.required("enrollmentID"), verificationCode: object.required("verificationCode"),
                app: object.optional("app")
            )
        }

        public var memberList: [JSONMember] {
            [JSONMember("enrollmentID", enrollmentID), JSONMember("verificationCode", verificationCode), JSONMember("app", app)]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) { self.user = user }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(user: object.required("user")) }

            public var memberList: [JSONMember] { [JSONMember("user", user)] }
        }
    }

    /// Removes a second factor from the current user.
    public struct RemoveSecondFactor: MethodParameters, Hashable {
        public static let method = Method.removeSecondFactor

        public var uid: String
        public var app: String?

        public init(uid: String, app: String? = nil) {
            (self.uid, self.app) = (uid, app)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["uid", "app"])
            try self.init(uid: object.required("uid"), app: object.optional("app"))
        }

        public var memberList: [JSONMember] { [JSONMember("uid", uid), JSONMember("app", app)] }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) { self.user = user }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(user: object.required("user")) }

            public var memberList: [JSONMember] { [JSONMember("user", user)] }
        }
    }

    /// Sends a code to a phone among the factors of a SecondFactorRequired error.
    public struct StartSecondFactor: MethodParameters, Hashable {
        public static let method = Method.startSecondFactor

        public var resolver: Secret
        public var uid: String

        public init(resolver: Secret, uid: String) {
            (self.resolver, self.uid) = (resolver, uid)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["resolver", "uid"])
            try self.init(resolver: object.required("resolver"), uid: object.required("uid"))
        }

        public var memberList: [JSONMember] { [JSONMember("resolver", resolver), JSONMember("uid", uid)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// Completes a sign-in, a link or a reauthentication that requires a second factor.
    public struct ResolveSecondFactor: MethodParameters, Hashable {
        public static let method = Method.resolveSecondFactor

        public var resolver: Secret
        public var uid: String
        public var verificationCode: Secret

        public init(resolver: Secret, uid: String, verificationCode: Secret) {
            (self.resolver, self.uid, self.verificationCode) = (resolver, uid, verificationCode)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["resolver", "uid", "verificationCode"])
            try self.init(
                resolver: object.required("resolver"), uid: object.required("uid"), verificationCode: object.required("verificationCode")
            )
        }

        public var memberList: [JSONMember] {
            [JSONMember("resolver", resolver), JSONMember("uid", uid), JSONMember("verificationCode", verificationCode)]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) { self.result = result }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(result: object.required("result")) }

            public var memberList: [JSONMember] { [JSONMember("result", result)] }
        }
    }

    /// The stored credentials, without their secrets.
    public struct ListCredentials: MethodParameters, Hashable {
        public static let method = Method.listCredentials

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public var credentials: [StoredCredential]

            public init(credentials: [StoredCredential]) { self.credentials = credentials }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(credentials: object.required("credentials")) }

            public var memberList: [JSONMember] { [JSONMember("credentials", credentials)] }
        }
    }

    /// A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
    /// `uid` chooses one of several accounts at a provider; `account` does so by the account's configured name, its address or its
    /// user name. `providerID` may also be the name of a configured account. `resource` is the service that the token is for (RFC 8707).
    public struct GetAccessToken: MethodParameters, Hashable {
        public static let method = Method.getAccessToken

        public var providerID: String
        public var uid: String?
        public var account: String?
        public var scopes: [String]?
        public var resource: String?
        public var minimumValiditySeconds: Int?
        public var forceRefresh: Bool?

        public init(
            providerID: String, uid: String? = nil, account: String? = nil, scopes: [String]? = nil, resource: String? = nil,
            minimumValiditySeconds: Int? = nil, forceRefresh: Bool? = nil
        ) {
            self.providerID = providerID
            self.uid = uid
            self.account = account
            self.scopes = scopes
            self.resource = resource
            self.minimumValiditySeconds = minimumValiditySeconds
            self.forceRefresh = forceRefresh
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "uid", "account", "scopes", "resource", "minimumValiditySeconds", "forceRefresh"])
            try self.init(
                providerID: object.required("providerID"), uid: object.optional("uid"), account: object.optional("account"),
                scopes: object.optional("scopes"), resource: object.optional("resource"),
                minimumValiditySeconds: object.optional("minimumValiditySeconds"), forceRefresh: object.optional("forceRefresh")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("account", account), JSONMember("scopes", scopes),
                JSONMember("resource", resource), JSONMember("minimumValiditySeconds", minimumValiditySeconds),
                JSONMember("forceRefresh", forceRefresh),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var accessToken: Secret
            public var tokenType: String
            public var secret: Secret?
            public var expiresAt: String?
            public var scopes: [String]
            public var uid: String

            public init(
                accessToken: Secret, tokenType: String, secret: Secret? = nil, expiresAt: String? = nil, scopes: [String], uid: String
            ) {
                self.accessToken = accessToken
                self.tokenType = tokenType
                self.secret = secret
                self.expiresAt = expiresAt
                self.scopes = scopes
                self.uid = uid
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    accessToken: object.required("accessToken"), tokenType: object.required("tokenType"), secret: object.optional("secret"),
                    expiresAt: object.optional("expiresAt"), scopes: object.required("scopes"), uid: object.required("uid")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("accessToken", accessToken), JSONMember("tokenType", tokenType), JSONMember("secret", secret),
                    JSONMember("expiresAt", expiresAt), JSONMember("scopes", scopes), JSONMember("uid", uid),
                ]
            }
        }
    }

    /// The account's verified ID token, refreshed if it expires too soon.
    public struct GetIDToken: MethodParameters, Hashable {
        public static let method = Method.getIDToken

        public var providerID: String
        public var uid: String?
        public var account: String?
        public var minimumValiditySeconds: Int?
        public var forceRefresh: Bool?

        public init(
            providerID: String, uid: String? = nil, account: String? = nil, minimumValiditySeconds: Int? = nil, forceRefresh: Bool? = nil
        ) {
            self.providerID = providerID
            self.uid = uid
            self.account = account
            self.minimumValiditySeconds = minimumValiditySeconds
            self.forceRefresh = forceRefresh
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "uid", "account", "minimumValiditySeconds", "forceRefresh"])
            try self.init(
                providerID: object.required("providerID"), uid: object.optional("uid"), account: object.optional("account"),
                minimumValiditySeconds: object.optional("minimumValiditySeconds"), forceRefresh: object.optional("forceRefresh")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("account", account),
                JSONMember("minimumValiditySeconds", minimumValiditySeconds), JSONMember("forceRefresh", forceRefresh),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var idToken: Secret
            public var expiresAt: String
            public var uid: String

            public init(idToken: Secret, expiresAt: String, uid: String) {
                (self.idToken, self.expiresAt, self.uid) = (idToken, expiresAt, uid)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(idToken: object.required("idToken"), expiresAt: object.required("expiresAt"), uid: object.required("uid"))
            }

            public var memberList: [JSONMember] {
                [JSONMember("idToken", idToken), JSONMember("expiresAt", expiresAt), JSONMember("uid", uid)]
            }
        }
    }

    /// The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
    /// signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body, which OAuth 1.0a signs.
    public struct AuthorizeRequest: MethodParameters, Hashable {
        public static let method = Method.authorizeRequest

        public var method: String
        public var url: String
        public var providerID: String?
        public var account: String?
        public var scopes: [String]?
        public var form: [FormParameter]?
        /// The server's `DPoP-Nonce`.
        public var dpopNonce: String?
        /// True if the server has just refused the token that was sent.
        public var forceRefresh: Bool?
        /// The values of `WWW-Authenticate` with which the server refused the last request: the daemon does what they demand (a new
        /// token, a proof with the server's nonce), or says what only the user can do.
        public var challenge: [String]?

        public init(
            method: String, url: String, providerID: String? = nil, account: String? = nil, scopes: [String]? = nil,
            form: [FormParameter]? = nil, dpopNonce: String? = nil, forceRefresh: Bool? = nil, challenge: [String]? = nil
        ) {
            self.method = method
            self.url = url
            self.providerID = providerID
            self.account = account
            self.scopes = scopes
            self.form = form
            self.dpopNonce = dpopNonce
            self.forceRefresh = forceRefresh
            self.challenge = challenge
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["method", "url", "providerID", "account", "scopes", "form", "dpopNonce", "forceRefresh", "challenge"])
            try self.init(
                method: object.required("method"), url: object.required("url"), providerID: object.optional("providerID"),
                account: object.optional("account"), scopes: object.optional("scopes"), form: object.optional("form"),
                dpopNonce: object.optional("dpopNonce"), forceRefresh: object.optional("forceRefresh"),
                challenge: object.optional("challenge")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("method", method), JSONMember("url", url), JSONMember("providerID", providerID), JSONMember("account", account),
                JSONMember("scopes", scopes), JSONMember("form", form), JSONMember("dpopNonce", dpopNonce),
                JSONMember("forceRefresh", forceRefresh), JSONMember("challenge", challenge),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var headers: [String: Secret]
            public var expiresAt: String?
            public var providerID: String
            public var uid: String

            public init(headers: [String: Secret], expiresAt: String? = nil, providerID: String, uid: String) {
                (self.headers, self.expiresAt, self.providerID, self.uid) = (headers, expiresAt, providerID, uid)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    headers: object.required("headers"), expiresAt: object.optional("expiresAt"), providerID: object.required("providerID"),
                    uid: object.required("uid")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("headers", headers), JSONMember("expiresAt", expiresAt), JSONMember("providerID", providerID),
                    JSONMember("uid", uid),
                ]
            }
        }
    }

    /// A server refused this access token at this URL. If it is the token of an account whose tokens are for the URL, it is renewed; if
    /// nothing can renew it, its provider is asked whether it is still valid, and if not, the account's state becomes signInNeeded. A
    /// provider is asked about an account once a minute at most. Every other token changes nothing.
    public struct ReportRefusedToken: MethodParameters, Hashable {
        public static let method = Method.reportRefusedToken

        public var url: String
        public var accessToken: Secret

        public init(url: String, accessToken: Secret) {
            (self.url, self.accessToken) = (url, accessToken)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url", "accessToken"])
            try self.init(url: object.required("url"), accessToken: object.required("accessToken"))
        }

        public var memberList: [JSONMember] { [JSONMember("url", url), JSONMember("accessToken", accessToken)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is closest, then those whose
    /// provider serves it. No token is returned.
    public struct FindAccount: MethodParameters, Hashable {
        public static let method = Method.findAccount

        public var url: String

        public init(url: String) { self.url = url }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url"])
            try self.init(url: object.required("url"))
        }

        public var memberList: [JSONMember] { [JSONMember("url", url)] }

        public struct Reply: InterfaceObject, Hashable {
            public var accounts: [ServedAccount]
            /// Configured URLs on the same host that do not cover this one.
            public var near: [String]?
            /// Why no account is used unless it is named: nothing is for this URL, though something comes close, or several are equally close.
            public var reason: String?

            public init(accounts: [ServedAccount], near: [String]? = nil, reason: String? = nil) {
                (self.accounts, self.near, self.reason) = (accounts, near, reason)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(accounts: object.required("accounts"), near: object.optional("near"), reason: object.optional("reason"))
            }

            public var memberList: [JSONMember] {
                [JSONMember("accounts", accounts), JSONMember("near", near), JSONMember("reason", reason)]
            }
        }
    }

    /// Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
    /// `url`: one of its URLs; without it the account is named by `providerID` and `account`, as in GetAccessToken. It is answered while the
    /// store is closed, too, from the configuration alone.
    public struct GetRoute: MethodParameters, Hashable {
        public static let method = Method.getRoute

        public var url: String?
        public var providerID: String?
        public var account: String?

        public init(url: String? = nil, providerID: String? = nil, account: String? = nil) {
            (self.url, self.providerID, self.account) = (url, providerID, account)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url", "providerID", "account"])
            try self.init(url: object.optional("url"), providerID: object.optional("providerID"), account: object.optional("account"))
        }

        public var memberList: [JSONMember] {
            [JSONMember("url", url), JSONMember("providerID", providerID), JSONMember("account", account)]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var providerID: String
            /// The name of its [account.NAME] in the configuration.
            public var account: String?
            /// The URLs that its tokens are for; the closest to `url` first.
            public var urls: [String]
            /// True for an [mcp.NAME].
            public var isMCP: Bool
            /// The certificates of the provider's `ca-file`, in PEM.
            public var authorities: String?
            /// As in the daemon's environment: https_proxy, all_proxy and no_proxy, without the names.
            public var httpsProxy: Secret?
            public var allProxy: Secret?
            public var noProxy: String?

            public init(
                providerID: String, account: String? = nil, urls: [String], isMCP: Bool, authorities: String? = nil,
                httpsProxy: Secret? = nil, allProxy: Secret? = nil, noProxy: String? = nil
            ) {
                self.providerID = providerID
                self.account = account
                self.urls = urls
                self.isMCP = isMCP
                self.authorities = authorities
                self.httpsProxy = httpsProxy
                self.allProxy = allProxy
                self.noProxy = noProxy
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    providerID: object.required("providerID"), account: object.optional("account"), urls: object.required("urls"),
                    isMCP: object.required("isMCP"), authorities: object.optional("authorities"), httpsProxy: object.optional("httpsProxy"),
                    allProxy: object.optional("allProxy"), noProxy: object.optional("noProxy")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("providerID", providerID), JSONMember("account", account), JSONMember("urls", urls),
                    JSONMember("isMCP", isMCP), JSONMember("authorities", authorities), JSONMember("httpsProxy", httpsProxy),
                    JSONMember("allProxy", allProxy), JSONMember("noProxy", noProxy),
                ]
            }
        }
    }

    /// Imports another program's token: either a refresh token for the same client, which is used at once, or an access token of whichever
    /// client of the provider, which cannot be renewed, and which only that client can revoke. It is stored only if the
    /// provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
    /// present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
    /// `scopes`: those granted with a refresh token, if the answer has none. `replace`: replace a stored credential of the account,
    /// and send a refresh token again that the provider refused earlier.
    /// `clientID`, `clientSecret`, `resource`: the client that the token was issued to and what it is for, at the server of an [mcp.NAME].
    /// `issuer`, `tokenEndpoint`: who issued it there, as far as the other program knows; it is sent nowhere unless the server names the same.
    public struct ImportCredential: MethodParameters, Hashable {
        public static let method = Method.importCredential

        public var providerID: String
        public var refreshToken: Secret?
        public var accessToken: Secret?
        public var scopes: [String]?
        public var replace: Bool?
        public var clientID: String?
        public var clientSecret: Secret?
        public var resource: String?
        public var issuer: String?
        public var tokenEndpoint: String?

        public init(
            providerID: String, refreshToken: Secret? = nil, accessToken: Secret? = nil, scopes: [String]? = nil, replace: Bool? = nil,
            clientID: String? = nil, clientSecret: Secret? = nil, resource: String? = nil, issuer: String? = nil,
            tokenEndpoint: String? = nil
        ) {
            self.providerID = providerID
            self.refreshToken = refreshToken
            self.accessToken = accessToken
            self.scopes = scopes
            self.replace = replace
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.resource = resource
            self.issuer = issuer
            self.tokenEndpoint = tokenEndpoint
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([
                "providerID", "refreshToken", "accessToken", "scopes", "replace", "clientID", "clientSecret", "resource", "issuer",
                "tokenEndpoint",
            ])
            try self.init(
                providerID: object.required("providerID"), refreshToken: object.optional("refreshToken"),
                accessToken: object.optional("accessToken"), scopes: object.optional("scopes"), replace: object.optional("replace"),
                clientID: object.optional("clientID"), clientSecret: object.optional("clientSecret"), resource: object.optional("resource"),
                issuer: object.optional("issuer"), tokenEndpoint: object.optional("tokenEndpoint")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("refreshToken", refreshToken), JSONMember("accessToken", accessToken),
                JSONMember("scopes", scopes), JSONMember("replace", replace), JSONMember("clientID", clientID),
                JSONMember("clientSecret", clientSecret), JSONMember("resource", resource), JSONMember("issuer", issuer),
                JSONMember("tokenEndpoint", tokenEndpoint),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var credential: StoredCredential

            public init(credential: StoredCredential) { self.credential = credential }

            public init(object: JSONObject) throws(JSONMemberError) { try self.init(credential: object.required("credential")) }

            public var memberList: [JSONMember] { [JSONMember("credential", credential)] }
        }
    }

    /// Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in GetAccessToken.
    /// `keepGrant`: forgotten here only.
    public struct RevokeCredential: MethodParameters, Hashable {
        public static let method = Method.revokeCredential

        public var providerID: String
        public var uid: String?
        public var account: String?
        public var keepGrant: Bool?

        public init(providerID: String, uid: String? = nil, account: String? = nil, keepGrant: Bool? = nil) {
            (self.providerID, self.uid, self.account, self.keepGrant) = (providerID, uid, account, keepGrant)
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "uid", "account", "keepGrant"])
            try self.init(
                providerID: object.required("providerID"), uid: object.optional("uid"), account: object.optional("account"),
                keepGrant: object.optional("keepGrant")
            )
        }

        public var memberList: [JSONMember] {
            [
                JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("account", account),
                JSONMember("keepGrant", keepGrant),
            ]
        }

        public struct Reply: InterfaceObject, Hashable {
            public var revokedAtProvider: Bool
            /// If it was not revoked: true if the provider has no way to revoke it, false if the provider refused or could not be reached.
            public var hasNoWay: Bool?
            /// Why the provider did not revoke it.
            public var reason: String?
            /// The apps whose users had it, too.
            public var apps: [String]?

            public init(revokedAtProvider: Bool, hasNoWay: Bool? = nil, reason: String? = nil, apps: [String]? = nil) {
                (self.revokedAtProvider, self.hasNoWay, self.reason, self.apps) = (revokedAtProvider, hasNoWay, reason, apps)
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    revokedAtProvider: object.required("revokedAtProvider"), hasNoWay: object.optional("hasNoWay"),
                    reason: object.optional("reason"), apps: object.optional("apps")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("revokedAtProvider", revokedAtProvider), JSONMember("hasNoWay", hasNoWay), JSONMember("reason", reason),
                    JSONMember("apps", apps),
                ]
            }
        }
    }

    /// The state of the service.
    public struct GetStatus: MethodParameters, Hashable {
        public static let method = Method.getStatus

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public var version: String
            public var startedAt: String
            /// The addresses where redirects are received.
            public var callbackURLs: [String]
            public var locked: Bool
            /// Sign-ins in progress.
            public var sessions: Int
            /// Absent while the store is locked or cannot be read.
            public var users: Int?
            public var credentials: Int?
            /// The configuration file that is read; config.d is in the same directory.
            public var configurationFile: String?
            /// The directory of the store.
            public var stateDirectory: String?
            /// Why the store cannot be opened; absent if it is open or locked.
            public var storeProblem: String?
            /// What else keeps the service from doing everything that is configured, one sentence each.
            public var problems: [String]?
            /// True if the service's executable was replaced or removed after it started: the next start runs another one.
            public var replaced: Bool?
            /// What is left out of the configuration because of a mistake in a file of the administrator's or of a package's, one sentence each. The
            /// rest is in effect.
            public var leftOut: [String]?

            public init(
                version: String, startedAt: String, callbackURLs: [String], locked: Bool, sessions: Int, users: Int? = nil,
                credentials: Int? = nil, configurationFile: String? = nil, stateDirectory: String? = nil, storeProblem: String? = nil,
                problems: [String]? = nil, replaced: Bool? = nil, leftOut: [String]? = nil
            ) {
                self.version = version
                self.startedAt = startedAt
                self.callbackURLs = callbackURLs
                self.locked = locked
                self.sessions = sessions
                self.users = users
                self.credentials = credentials
                self.configurationFile = configurationFile
                self.stateDirectory = stateDirectory
                self.storeProblem = storeProblem
                self.problems = problems
                self.replaced = replaced
                self.leftOut = leftOut
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    version: object.required("version"), startedAt: object.required("startedAt"),
                    callbackURLs: object.required("callbackURLs"), locked: object.required("locked"), sessions: object.required("sessions"),
                    users: object.optional("users"), credentials: object.optional("credentials"),
                    configurationFile: object.optional("configurationFile"), stateDirectory: object.optional("stateDirectory"),
                    storeProblem: object.optional("storeProblem"), problems: object.optional("problems"),
                    replaced: object.optional("replaced"), leftOut: object.optional("leftOut")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("version", version), JSONMember("startedAt", startedAt), JSONMember("callbackURLs", callbackURLs),
                    JSONMember("locked", locked), JSONMember("sessions", sessions), JSONMember("users", users),
                    JSONMember("credentials", credentials), JSONMember("configurationFile", configurationFile),
                    JSONMember("stateDirectory", stateDirectory), JSONMember("storeProblem", storeProblem),
                    JSONMember("problems", problems), JSONMember("replaced", replaced), JSONMember("leftOut", leftOut),
                ]
            }
        }
    }

    /// Reloads the configuration; after an error the old one stays in effect.
    public struct Reload: MethodParameters, Hashable {
        public static let method = Method.reload

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// Forgets the store's key until Unlock is called.
    public struct Lock: MethodParameters, Hashable {
        public static let method = Method.lock

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// Opens the store again.
    public struct Unlock: MethodParameters, Hashable {
        public static let method = Method.unlock

        public var passphrase: Secret?

        public init(passphrase: Secret? = nil) { self.passphrase = passphrase }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["passphrase"])
            try self.init(passphrase: object.optional("passphrase"))
        }

        public var memberList: [JSONMember] { [JSONMember("passphrase", passphrase)] }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}
            public init(object: JSONObject) throws(JSONMemberError) {}
            public var memberList: [JSONMember] { [] }
        }
    }

    /// With `more` only: events as they happen; they never contain a secret.
    public struct Monitor: MethodParameters, Hashable {
        public static let method = Method.monitor

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var memberList: [JSONMember] { [] }

        public struct Reply: InterfaceObject, Hashable {
            public var time: String
            public var kind: String
            public var sessionID: String?
            public var providerID: String?
            public var uid: String?
            public var app: String?
            public var message: String

            public init(
                time: String, kind: String, sessionID: String? = nil, providerID: String? = nil, uid: String? = nil, app: String? = nil,
                message: String
            ) {
                self.time = time
                self.kind = kind
                self.sessionID = sessionID
                self.providerID = providerID
                self.uid = uid
                self.app = app
                self.message = message
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                try self.init(
                    time: object.required("time"), kind: object.required("kind"), sessionID: object.optional("sessionID"),
                    providerID: object.optional("providerID"), uid: object.optional("uid"), app: object.optional("app"),
                    message: object.required("message")
                )
            }

            public var memberList: [JSONMember] {
                [
                    JSONMember("time", time), JSONMember("kind", kind), JSONMember("sessionID", sessionID),
                    JSONMember("providerID", providerID), JSONMember("uid", uid), JSONMember("app", app), JSONMember("message", message),
                ]
            }
        }
    }
}
