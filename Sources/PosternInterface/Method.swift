/// The methods of the interface.
extension Interface {
    public enum Method: String, CaseIterable, Sendable {
        case listProviders = "ListProviders"
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
        case revokeCredential = "RevokeCredential"
        case getStatus = "GetStatus"
        case reload = "Reload"
        case lock = "Lock"
        case unlock = "Unlock"
        case monitor = "Monitor"

        /// The full name of a call: `io.postern.SignIn`.
        public var name: String { "\(Interface.name).\(rawValue)" }

        /// Every call asks for one.
        private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

        /// Nil for a name of another interface, or of no method.
        public init?(name: String) {
            guard let method = Self.byName[name] else { return nil }
            self = method
        }
    }
}
