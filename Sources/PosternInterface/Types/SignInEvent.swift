import StrictJSON

/// What to do with the credential once the provider has given it.
extension Interface {
    public enum Intent: String, JSONConvertible, CaseIterable {
        /// Makes or finds the local user.
        case signIn
        /// Adds it to the app's current user.
        case link
        /// Proves that the current user is still there.
        case reauthenticate
        /// Only hands it over.
        case credential
    }
}

/// Who opens the page.
extension Interface.SignIn {
    public enum Presentation: String, JSONConvertible, CaseIterable {
        /// The daemon opens the user's browser.
        case daemon
        /// The caller does, or shows the URL to a person.
        case client
    }
}

/// Where a sign-in stands; the last one is `completed`.
extension Interface {
    public struct SignInEvent: InterfaceObject, Hashable {
        public enum State: String, JSONConvertible, CaseIterable {
            case authorizationPending, exchanging, completed
        }

        public var sessionID: String
        public var state: State
        /// When the sign-in is given up. RFC 3339, UTC.
        public var expiresAt: String
        /// Browser flow: the page to open.
        public var authorizationURL: String?
        /// Device flow (RFC 8628): the page to open by hand, and what to type there.
        public var verificationURI: String?
        /// Device flow: the same with the code in it, as for a QR code.
        public var verificationURIComplete: String?
        public var userCode: String?
        /// Completed: what the provider gave.
        public var credential: Credential?
        /// Completed, unless the intent was `credential`: who signed in.
        public var result: AuthResult?

        public init(
            sessionID: String, state: State, expiresAt: String, authorizationURL: String? = nil, verificationURI: String? = nil,
            verificationURIComplete: String? = nil, userCode: String? = nil, credential: Credential? = nil, result: AuthResult? = nil
        ) {
            self.sessionID = sessionID
            self.state = state
            self.expiresAt = expiresAt
            self.authorizationURL = authorizationURL
            self.verificationURI = verificationURI
            self.verificationURIComplete = verificationURIComplete
            self.userCode = userCode
            self.credential = credential
            self.result = result
        }
    }
}

extension Interface.SignInEvent {
    public init(object: JSONObject) throws(JSONMemberError) {
        sessionID = try object.required("sessionID")
        state = try object.required("state")
        expiresAt = try object.required("expiresAt")
        authorizationURL = try object.optional("authorizationURL")
        verificationURI = try object.optional("verificationURI")
        verificationURIComplete = try object.optional("verificationURIComplete")
        userCode = try object.optional("userCode")
        credential = try object.optional("credential")
        result = try object.optional("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        object.set("state", state)
        object.set("expiresAt", expiresAt)
        object.set("authorizationURL", authorizationURL)
        object.set("verificationURI", verificationURI)
        object.set("verificationURIComplete", verificationURIComplete)
        object.set("userCode", userCode)
        object.set("credential", credential)
        object.set("result", result)
        return object
    }
}
