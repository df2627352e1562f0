/// Printing a value must not print what it guards: these end up in logs by accident more often than on purpose.
extension Credential: CustomStringConvertible, CustomReflectable {
    public var description: String { "Credential(\(providerID), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["providerID": providerID]) }
}

extension CredentialInput: CustomStringConvertible, CustomReflectable {
    public var description: String { "CredentialInput(\(providerID ?? "-"), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["providerID": providerID as Any]) }
}

extension GetAccessTokenReply: CustomStringConvertible, CustomReflectable {
    public var description: String { "GetAccessTokenReply(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid, "scopes": scopes]) }
}

extension GetUserTokenReply: CustomStringConvertible, CustomReflectable {
    public var description: String { "GetUserTokenReply(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}

extension CreateUserParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "CreateUserParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UpdateUserParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "UpdateUserParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnlockParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "UnlockParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EnrollSecondFactorReply: CustomStringConvertible, CustomReflectable {
    public var description: String { "EnrollSecondFactorReply(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ConfirmSecondFactorParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "ConfirmSecondFactorParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["app": app as Any]) }
}

extension StartSecondFactorParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "StartSecondFactorParameters(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}

extension ResolveSecondFactorParameters: CustomStringConvertible, CustomReflectable {
    public var description: String { "ResolveSecondFactorParameters(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}
