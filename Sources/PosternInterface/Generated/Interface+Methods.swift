// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import Secrets
import StrictJSON

extension Interface {
    /// The methods of the interface.
    public enum Method: String, CaseIterable, Sendable {
        case listProviders = "ListProviders"
        case checkProvider = "CheckProvider"
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
        case findAccount = "FindAccount"
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
            case .listProviders: [.client]
            case .checkProvider: [.client]
            case .signIn: [.store, .client]
            case .listSessions: [.store]
            case .attachSession: [.store]
            case .cancelSession: [.store]
            case .deliverRedirect: [.store]
            case .signInWithCredential: [.store]
            case .signInAnonymously: [.store]
            case .createUser: [.store]
            case .getCurrentUser: [.store]
            case .updateUser: [.store]
            case .unlinkProvider: [.store]
            case .fetchProviders: [.store]
            case .signOut: [.store]
            case .deleteUser: [.store]
            case .getUserToken: [.store]
            case .enrollSecondFactor: [.store]
            case .confirmSecondFactor: [.store]
            case .removeSecondFactor: [.store]
            case .startSecondFactor: [.store]
            case .resolveSecondFactor: [.store]
            case .listCredentials: [.store]
            case .getAccessToken: [.store, .client]
            case .getIDToken: [.store, .client]
            case .authorizeRequest: [.store, .client]
            case .findAccount: [.store]
            case .importCredential: [.store, .client]
            case .revokeCredential: [.store, .client]
            case .getStatus: [.opening]
            default: []
            }
        }

        /// The number of its replies.
        public var replies: ReplyCount {
            switch self {
            case .signIn: .many
            case .attachSession: .many
            case .monitor: .endless
            default: .one
            }
        }
    }

    /// The configured providers.
    public struct ListProviders: MethodParameters, Hashable {
        public static let method = Method.listProviders

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

        public struct Reply: InterfaceObject, Hashable {
            public var providers: [Provider]

            public init(providers: [Provider]) {
                self.providers = providers
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                providers = try object.required("providers")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("providers", providers)
            }
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
            self.providerID = providerID
            self.issuer = issuer
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "issuer"])
            providerID = try object.required("providerID")
            issuer = try object.optional("issuer")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("issuer", issuer)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var findings: [ProviderFinding]
            public var authorizationURL: String?

            public init(findings: [ProviderFinding], authorizationURL: String? = nil) {
                self.findings = findings
                self.authorizationURL = authorizationURL
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                findings = try object.required("findings")
                authorizationURL = try object.optional("authorizationURL")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("findings", findings)
                members.set("authorizationURL", authorizationURL)
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
        /// The app whose user this is about; `default` if not given.
        public var app: String?
        /// Requested instead of the configured scopes.
        public var scopes: [String]?
        /// Additional parameters of the authorization request; names that the protocol uses are refused.
        public var customParameters: [String: String]?
        /// The account that the program expects: an address or a name.
        public var loginHint: String?
        public var flow: Provider.Flow?
        public var presentation: SignIn.Presentation?
        /// 1 to 3600; 600 if not given.
        public var timeoutSeconds: Int?

        public init(
            providerID: String, intent: Intent? = nil, app: String? = nil, scopes: [String]? = nil,
            customParameters: [String: String]? = nil, loginHint: String? = nil, flow: Provider.Flow? = nil,
            presentation: SignIn.Presentation? = nil, timeoutSeconds: Int? = nil
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
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([
                "providerID", "intent", "app", "scopes", "customParameters", "loginHint", "flow", "presentation", "timeoutSeconds",
            ])
            providerID = try object.required("providerID")
            intent = try object.optional("intent")
            app = try object.optional("app")
            scopes = try object.optional("scopes")
            customParameters = try object.optional("customParameters")
            loginHint = try object.optional("loginHint")
            flow = try object.optional("flow")
            presentation = try object.optional("presentation")
            timeoutSeconds = try object.optional("timeoutSeconds")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("intent", intent)
            members.set("app", app)
            members.set("scopes", scopes)
            members.set("customParameters", customParameters)
            members.set("loginHint", loginHint)
            members.set("flow", flow)
            members.set("presentation", presentation)
            members.set("timeoutSeconds", timeoutSeconds)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var event: SignInEvent

            public init(event: SignInEvent) {
                self.event = event
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                event = try object.required("event")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("event", event)
            }
        }
    }

    /// The sign-ins in progress, and those that ended within about the last ten minutes.
    public struct ListSessions: MethodParameters, Hashable {
        public static let method = Method.listSessions

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

        public struct Reply: InterfaceObject, Hashable {
            public var sessions: [Session]

            public init(sessions: [Session]) {
                self.sessions = sessions
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                sessions = try object.required("sessions")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("sessions", sessions)
            }
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
            self.sessionID = sessionID
            self.flow = flow
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["sessionID", "flow"])
            sessionID = try object.required("sessionID")
            flow = try object.optional("flow")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("sessionID", sessionID)
            members.set("flow", flow)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var event: SignInEvent

            public init(event: SignInEvent) {
                self.event = event
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                event = try object.required("event")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("event", event)
            }
        }
    }

    /// Cancels a sign-in for every program that waits for it.
    public struct CancelSession: MethodParameters, Hashable {
        public static let method = Method.cancelSession

        public var sessionID: String

        public init(sessionID: String) {
            self.sessionID = sessionID
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["sessionID"])
            sessionID = try object.required("sessionID")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("sessionID", sessionID)
        }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
    public struct DeliverRedirect: MethodParameters, Hashable {
        public static let method = Method.deliverRedirect

        public var url: Secret

        public init(url: Secret) {
            self.url = url
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url"])
            url = try object.required("url")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("url", url)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var sessionID: String

            public init(sessionID: String) {
                self.sessionID = sessionID
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                sessionID = try object.required("sessionID")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("sessionID", sessionID)
            }
        }
    }

    /// Signs in, links or reauthenticates with an existing credential.
    public struct SignInWithCredential: MethodParameters, Hashable {
        public static let method = Method.signInWithCredential

        public var credential: CredentialInput
        public var intent: Intent?
        public var app: String?

        public init(credential: CredentialInput, intent: Intent? = nil, app: String? = nil) {
            self.credential = credential
            self.intent = intent
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["credential", "intent", "app"])
            credential = try object.required("credential")
            intent = try object.optional("intent")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("credential", credential)
            members.set("intent", intent)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) {
                self.result = result
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                result = try object.required("result")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("result", result)
            }
        }
    }

    /// Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
    /// same `uid`.
    public struct SignInAnonymously: MethodParameters, Hashable {
        public static let method = Method.signInAnonymously

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) {
                self.result = result
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                result = try object.required("result")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("result", result)
            }
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
            self.email = email
            self.password = password
            self.displayName = displayName
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["email", "password", "displayName", "app"])
            email = try object.required("email")
            password = try object.required("password")
            displayName = try object.optional("displayName")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("email", email)
            members.set("password", password)
            members.set("displayName", displayName)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) {
                self.result = result
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                result = try object.required("result")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("result", result)
            }
        }
    }

    /// The app's current user; absent if nobody is signed in.
    public struct GetCurrentUser: MethodParameters, Hashable {
        public static let method = Method.getCurrentUser

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User?

            public init(user: User? = nil) {
                self.user = user
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                user = try object.optional("user")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("user", user)
            }
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
            self.app = app
            self.displayName = displayName
            self.photoURL = photoURL
            self.email = email
            self.password = password
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app", "displayName", "photoURL", "email", "password"])
            app = try object.optional("app")
            displayName = try object.optional("displayName")
            photoURL = try object.optional("photoURL")
            email = try object.optional("email")
            password = try object.optional("password")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("app", app)
            members.set("displayName", displayName)
            members.set("photoURL", photoURL)
            members.set("email", email)
            members.set("password", password)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) {
                self.user = user
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                user = try object.required("user")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("user", user)
            }
        }
    }

    /// Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
    public struct UnlinkProvider: MethodParameters, Hashable {
        public static let method = Method.unlinkProvider

        public var providerID: String
        public var app: String?

        public init(providerID: String, app: String? = nil) {
            self.providerID = providerID
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "app"])
            providerID = try object.required("providerID")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) {
                self.user = user
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                user = try object.required("user")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("user", user)
            }
        }
    }

    /// The ways to sign in with an address. An empty list does not prove that no user has the address.
    public struct FetchProviders: MethodParameters, Hashable {
        public static let method = Method.fetchProviders

        public var email: String

        public init(email: String) {
            self.email = email
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["email"])
            email = try object.required("email")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("email", email)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var providerIDs: [String]

            public init(providerIDs: [String]) {
                self.providerIDs = providerIDs
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                providerIDs = try object.required("providerIDs")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("providerIDs", providerIDs)
            }
        }
    }

    /// Forgets the app's current user; the user and their credentials stay.
    public struct SignOut: MethodParameters, Hashable {
        public static let method = Method.signOut

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
    public struct DeleteUser: MethodParameters, Hashable {
        public static let method = Method.deleteUser

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["app"])
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
    /// (ES256); the public key is at /.well-known/jwks.json on the callback listener.
    public struct GetUserToken: MethodParameters, Hashable {
        public static let method = Method.getUserToken

        public var audience: String
        public var app: String?

        public init(audience: String, app: String? = nil) {
            self.audience = audience
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["audience", "app"])
            audience = try object.required("audience")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("audience", audience)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var idToken: Secret
            public var expiresAt: String

            public init(idToken: Secret, expiresAt: String) {
                self.idToken = idToken
                self.expiresAt = expiresAt
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                idToken = try object.required("idToken")
                expiresAt = try object.required("expiresAt")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("idToken", idToken)
                members.set("expiresAt", expiresAt)
            }
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
            self.factorID = factorID
            self.phoneNumber = phoneNumber
            self.displayName = displayName
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["factorID", "phoneNumber", "displayName", "app"])
            factorID = try object.required("factorID")
            phoneNumber = try object.optional("phoneNumber")
            displayName = try object.optional("displayName")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("factorID", factorID)
            members.set("phoneNumber", phoneNumber)
            members.set("displayName", displayName)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var enrollmentID: Secret
            public var secret: Secret?
            public var provisioningURI: Secret?

            public init(enrollmentID: Secret, secret: Secret? = nil, provisioningURI: Secret? = nil) {
                self.enrollmentID = enrollmentID
                self.secret = secret
                self.provisioningURI = provisioningURI
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                enrollmentID = try object.required("enrollmentID")
                secret = try object.optional("secret")
                provisioningURI = try object.optional("provisioningURI")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("enrollmentID", enrollmentID)
                members.set("secret", secret)
                members.set("provisioningURI", provisioningURI)
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
            self.enrollmentID = enrollmentID
            self.verificationCode = verificationCode
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["enrollmentID", "verificationCode", "app"])
            enrollmentID = try object.required("enrollmentID")
            verificationCode = try object.required("verificationCode")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("enrollmentID", enrollmentID)
            members.set("verificationCode", verificationCode)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) {
                self.user = user
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                user = try object.required("user")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("user", user)
            }
        }
    }

    /// Removes a second factor from the current user.
    public struct RemoveSecondFactor: MethodParameters, Hashable {
        public static let method = Method.removeSecondFactor

        public var uid: String
        public var app: String?

        public init(uid: String, app: String? = nil) {
            self.uid = uid
            self.app = app
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["uid", "app"])
            uid = try object.required("uid")
            app = try object.optional("app")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("uid", uid)
            members.set("app", app)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var user: User

            public init(user: User) {
                self.user = user
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                user = try object.required("user")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("user", user)
            }
        }
    }

    /// Sends a code to a phone among the factors of a SecondFactorRequired error.
    public struct StartSecondFactor: MethodParameters, Hashable {
        public static let method = Method.startSecondFactor

        public var resolver: Secret
        public var uid: String

        public init(resolver: Secret, uid: String) {
            self.resolver = resolver
            self.uid = uid
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["resolver", "uid"])
            resolver = try object.required("resolver")
            uid = try object.required("uid")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("resolver", resolver)
            members.set("uid", uid)
        }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// Completes a sign-in, a link or a reauthentication that requires a second factor.
    public struct ResolveSecondFactor: MethodParameters, Hashable {
        public static let method = Method.resolveSecondFactor

        public var resolver: Secret
        public var uid: String
        public var verificationCode: Secret

        public init(resolver: Secret, uid: String, verificationCode: Secret) {
            self.resolver = resolver
            self.uid = uid
            self.verificationCode = verificationCode
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["resolver", "uid", "verificationCode"])
            resolver = try object.required("resolver")
            uid = try object.required("uid")
            verificationCode = try object.required("verificationCode")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("resolver", resolver)
            members.set("uid", uid)
            members.set("verificationCode", verificationCode)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var result: AuthResult

            public init(result: AuthResult) {
                self.result = result
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                result = try object.required("result")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("result", result)
            }
        }
    }

    /// The stored credentials, without their secrets.
    public struct ListCredentials: MethodParameters, Hashable {
        public static let method = Method.listCredentials

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

        public struct Reply: InterfaceObject, Hashable {
            public var credentials: [StoredCredential]

            public init(credentials: [StoredCredential]) {
                self.credentials = credentials
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                credentials = try object.required("credentials")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("credentials", credentials)
            }
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
            providerID = try object.required("providerID")
            uid = try object.optional("uid")
            account = try object.optional("account")
            scopes = try object.optional("scopes")
            resource = try object.optional("resource")
            minimumValiditySeconds = try object.optional("minimumValiditySeconds")
            forceRefresh = try object.optional("forceRefresh")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("account", account)
            members.set("scopes", scopes)
            members.set("resource", resource)
            members.set("minimumValiditySeconds", minimumValiditySeconds)
            members.set("forceRefresh", forceRefresh)
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
                accessToken = try object.required("accessToken")
                tokenType = try object.required("tokenType")
                secret = try object.optional("secret")
                expiresAt = try object.optional("expiresAt")
                scopes = try object.required("scopes")
                uid = try object.required("uid")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("accessToken", accessToken)
                members.set("tokenType", tokenType)
                members.set("secret", secret)
                members.set("expiresAt", expiresAt)
                members.set("scopes", scopes)
                members.set("uid", uid)
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
            providerID = try object.required("providerID")
            uid = try object.optional("uid")
            account = try object.optional("account")
            minimumValiditySeconds = try object.optional("minimumValiditySeconds")
            forceRefresh = try object.optional("forceRefresh")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("account", account)
            members.set("minimumValiditySeconds", minimumValiditySeconds)
            members.set("forceRefresh", forceRefresh)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var idToken: Secret
            public var expiresAt: String
            public var uid: String

            public init(idToken: Secret, expiresAt: String, uid: String) {
                self.idToken = idToken
                self.expiresAt = expiresAt
                self.uid = uid
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                idToken = try object.required("idToken")
                expiresAt = try object.required("expiresAt")
                uid = try object.required("uid")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("idToken", idToken)
                members.set("expiresAt", expiresAt)
                members.set("uid", uid)
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

        public init(
            method: String, url: String, providerID: String? = nil, account: String? = nil, scopes: [String]? = nil,
            form: [FormParameter]? = nil, dpopNonce: String? = nil, forceRefresh: Bool? = nil
        ) {
            self.method = method
            self.url = url
            self.providerID = providerID
            self.account = account
            self.scopes = scopes
            self.form = form
            self.dpopNonce = dpopNonce
            self.forceRefresh = forceRefresh
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["method", "url", "providerID", "account", "scopes", "form", "dpopNonce", "forceRefresh"])
            method = try object.required("method")
            url = try object.required("url")
            providerID = try object.optional("providerID")
            account = try object.optional("account")
            scopes = try object.optional("scopes")
            form = try object.optional("form")
            dpopNonce = try object.optional("dpopNonce")
            forceRefresh = try object.optional("forceRefresh")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("method", method)
            members.set("url", url)
            members.set("providerID", providerID)
            members.set("account", account)
            members.set("scopes", scopes)
            members.set("form", form)
            members.set("dpopNonce", dpopNonce)
            members.set("forceRefresh", forceRefresh)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var headers: [String: Secret]
            public var expiresAt: String?
            public var providerID: String
            public var uid: String

            public init(headers: [String: Secret], expiresAt: String? = nil, providerID: String, uid: String) {
                self.headers = headers
                self.expiresAt = expiresAt
                self.providerID = providerID
                self.uid = uid
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                headers = try object.required("headers")
                expiresAt = try object.optional("expiresAt")
                providerID = try object.required("providerID")
                uid = try object.required("uid")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("headers", headers)
                members.set("expiresAt", expiresAt)
                members.set("providerID", providerID)
                members.set("uid", uid)
            }
        }
    }

    /// The accounts whose tokens are for this URL, the closest match first. No token is returned.
    public struct FindAccount: MethodParameters, Hashable {
        public static let method = Method.findAccount

        public var url: String

        public init(url: String) {
            self.url = url
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["url"])
            url = try object.required("url")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("url", url)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var accounts: [ServedAccount]

            public init(accounts: [ServedAccount]) {
                self.accounts = accounts
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                accounts = try object.required("accounts")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("accounts", accounts)
            }
        }
    }

    /// Imports a refresh token that another program obtained for the same client. It is used at once, and stored only if the
    /// provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
    /// present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
    /// `scopes`: the granted scopes, for a provider that does not return them. `replace`: replace a stored credential of the account,
    /// and send a refresh token again that the provider refused earlier.
    public struct ImportCredential: MethodParameters, Hashable {
        public static let method = Method.importCredential

        public var providerID: String
        public var refreshToken: Secret
        public var scopes: [String]?
        public var replace: Bool?

        public init(providerID: String, refreshToken: Secret, scopes: [String]? = nil, replace: Bool? = nil) {
            self.providerID = providerID
            self.refreshToken = refreshToken
            self.scopes = scopes
            self.replace = replace
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "refreshToken", "scopes", "replace"])
            providerID = try object.required("providerID")
            refreshToken = try object.required("refreshToken")
            scopes = try object.optional("scopes")
            replace = try object.optional("replace")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("refreshToken", refreshToken)
            members.set("scopes", scopes)
            members.set("replace", replace)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var credential: StoredCredential

            public init(credential: StoredCredential) {
                self.credential = credential
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                credential = try object.required("credential")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("credential", credential)
            }
        }
    }

    /// Revokes the credential at the provider, if possible, and forgets it here. `account` as in GetAccessToken.
    public struct RevokeCredential: MethodParameters, Hashable {
        public static let method = Method.revokeCredential

        public var providerID: String
        public var uid: String?
        public var account: String?

        public init(providerID: String, uid: String? = nil, account: String? = nil) {
            self.providerID = providerID
            self.uid = uid
            self.account = account
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["providerID", "uid", "account"])
            providerID = try object.required("providerID")
            uid = try object.optional("uid")
            account = try object.optional("account")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("providerID", providerID)
            members.set("uid", uid)
            members.set("account", account)
        }

        public struct Reply: InterfaceObject, Hashable {
            public var revokedAtProvider: Bool
            /// If it was not revoked: true if the provider has no way to revoke it, false if the provider refused or could not be reached.
            public var hasNoWay: Bool?
            /// Why the provider did not revoke it.
            public var reason: String?

            public init(revokedAtProvider: Bool, hasNoWay: Bool? = nil, reason: String? = nil) {
                self.revokedAtProvider = revokedAtProvider
                self.hasNoWay = hasNoWay
                self.reason = reason
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                revokedAtProvider = try object.required("revokedAtProvider")
                hasNoWay = try object.optional("hasNoWay")
                reason = try object.optional("reason")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("revokedAtProvider", revokedAtProvider)
                members.set("hasNoWay", hasNoWay)
                members.set("reason", reason)
            }
        }
    }

    /// The state of the service.
    public struct GetStatus: MethodParameters, Hashable {
        public static let method = Method.getStatus

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

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

            public init(
                version: String, startedAt: String, callbackURLs: [String], locked: Bool, sessions: Int, users: Int? = nil,
                credentials: Int? = nil, configurationFile: String? = nil, stateDirectory: String? = nil, storeProblem: String? = nil,
                problems: [String]? = nil, replaced: Bool? = nil
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
            }

            public init(object: JSONObject) throws(JSONMemberError) {
                version = try object.required("version")
                startedAt = try object.required("startedAt")
                callbackURLs = try object.required("callbackURLs")
                locked = try object.required("locked")
                sessions = try object.required("sessions")
                users = try object.optional("users")
                credentials = try object.optional("credentials")
                configurationFile = try object.optional("configurationFile")
                stateDirectory = try object.optional("stateDirectory")
                storeProblem = try object.optional("storeProblem")
                problems = try object.optional("problems")
                replaced = try object.optional("replaced")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("version", version)
                members.set("startedAt", startedAt)
                members.set("callbackURLs", callbackURLs)
                members.set("locked", locked)
                members.set("sessions", sessions)
                members.set("users", users)
                members.set("credentials", credentials)
                members.set("configurationFile", configurationFile)
                members.set("stateDirectory", stateDirectory)
                members.set("storeProblem", storeProblem)
                members.set("problems", problems)
                members.set("replaced", replaced)
            }
        }
    }

    /// Reloads the configuration; after an error the old one stays in effect.
    public struct Reload: MethodParameters, Hashable {
        public static let method = Method.reload

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// Forgets the store's key until Unlock is called.
    public struct Lock: MethodParameters, Hashable {
        public static let method = Method.lock

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// Opens the store again.
    public struct Unlock: MethodParameters, Hashable {
        public static let method = Method.unlock

        public var passphrase: Secret?

        public init(passphrase: Secret? = nil) {
            self.passphrase = passphrase
        }

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly(["passphrase"])
            passphrase = try object.optional("passphrase")
        }

        public func write(to members: inout some JSONMemberSink) {
            members.set("passphrase", passphrase)
        }

        public struct Reply: InterfaceObject, Hashable {
            public init() {}

            public init(object: JSONObject) throws(JSONMemberError) {}

            public func write(to members: inout some JSONMemberSink) {}
        }
    }

    /// With `more` only: events as they happen; they never contain a secret.
    public struct Monitor: MethodParameters, Hashable {
        public static let method = Method.monitor

        public init() {}

        public init(object: JSONObject) throws(JSONMemberError) {
            try object.allowOnly([])
        }

        public func write(to members: inout some JSONMemberSink) {}

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
                time = try object.required("time")
                kind = try object.required("kind")
                sessionID = try object.optional("sessionID")
                providerID = try object.optional("providerID")
                uid = try object.optional("uid")
                app = try object.optional("app")
                message = try object.required("message")
            }

            public func write(to members: inout some JSONMemberSink) {
                members.set("time", time)
                members.set("kind", kind)
                members.set("sessionID", sessionID)
                members.set("providerID", providerID)
                members.set("uid", uid)
                members.set("app", app)
                members.set("message", message)
            }
        }
    }
}
