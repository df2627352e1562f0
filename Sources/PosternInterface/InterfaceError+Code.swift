import StrictJSON

extension InterfaceError {
    /// The corresponding number of Firebase's `AuthErrorCode`, for programs written for Firebase; 0 if there is none.
    public var code: Int {
        switch self {
        case .numbered(_, let code): code
        case .signInDenied(_, _, let error, _): Self.code(denial: error) ?? form.code ?? 0
        // missingOrInvalidNonce
        case .invalidIDToken(_, _, let reason)
        where reason.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).contains { Substring($0) == "nonce" }: 17094
        default: form.code ?? 0
        }
    }

    /// Firebase's codes for the errors that a provider's page returns (RFC 6749 section 4.1.2.1).
    private static func code(denial error: String) -> Int? {
        switch error {
        case "access_denied", "user_cancelled_authorize": 17058  // webContextCancelled
        case "unauthorized_client": 17060  // invalidClientID
        case "server_error", "temporarily_unavailable": 17062  // webInternalError
        default: nil
        }
    }

    /// The error with this number.
    public func numbered(_ code: Int) -> InterfaceError {
        if case .numbered(let error, _) = self { return error.numbered(code) }
        return self.code == code ? self : .numbered(self, code: code)
    }

    /// The name on the wire: `io.postern.ProviderNotFound`.
    public var name: String {
        let form = form
        return "\(form.code == nil ? "org.varlink.service" : Interface.name).\(form.name)"
    }

    /// The sentence for a person.
    public var message: String { form.message }

    /// Reads an error from a reply. Nil if the name is not in this interface.
    ///
    /// Members that a later daemon may have added are ignored. A Firebase number is kept if it differs from the error's own.
    public init?(name: String, parameters: JSONObject) throws(JSONMemberError) {
        let interface = Interface.name + "."
        guard name.utf8.starts(with: interface.utf8),
            let error = try Self.read(String(Substring(name.utf8.dropFirst(interface.utf8.count))), parameters)
        else { return nil }
        guard case .integer(let code)? = parameters["code"], (17_000...18_000).contains(code) else {
            self = error
            return
        }
        self = error.numbered(Int(code))
    }
}

extension InterfaceError: JSONMemberList {
    /// The members of the reply except the name; `code` and `message` come first if the interface defines the error.
    public var memberList: [JSONMember] {
        let form = form
        return form.code == nil ? form.members : [JSONMember("code", code), JSONMember("message", form.message)] + form.members
    }
}

extension InterfaceError: CustomStringConvertible, CustomReflectable {
    /// The sentence for the user; safe to log.
    public var description: String { message }

    /// Only the error's name and sentence: its other members are for the calling program.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "message": message]) }
}
