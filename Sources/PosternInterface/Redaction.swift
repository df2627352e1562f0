/// Printing a value must not print what it guards: these end up in logs by accident more often than on purpose.
extension Interface.Credential: CustomStringConvertible, CustomReflectable {
    public var description: String { "Credential(\(providerID), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["providerID": providerID]) }
}

extension Interface.CredentialInput: CustomStringConvertible, CustomReflectable {
    public var description: String { "CredentialInput(\(providerID ?? "-"), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["providerID": providerID as Any]) }
}

extension Interface.GetAccessToken.Reply: CustomStringConvertible, CustomReflectable {
    public var description: String { "GetAccessTokenReply(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid, "scopes": scopes]) }
}

extension Interface.GetUserToken.Reply: CustomStringConvertible, CustomReflectable {
    public var description: String { "GetUserTokenReply(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}

extension Interface.CreateUser: CustomStringConvertible, CustomReflectable {
    public var description: String { "CreateUserParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Interface.UpdateUser: CustomStringConvertible, CustomReflectable {
    public var description: String { "UpdateUserParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Interface.Unlock: CustomStringConvertible, CustomReflectable {
    public var description: String { "UnlockParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Interface.EnrollSecondFactor.Reply: CustomStringConvertible, CustomReflectable {
    public var description: String { "EnrollSecondFactorReply(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Interface.ConfirmSecondFactor: CustomStringConvertible, CustomReflectable {
    public var description: String { "ConfirmSecondFactorParameters(<redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["app": app as Any]) }
}

extension Interface.StartSecondFactor: CustomStringConvertible, CustomReflectable {
    public var description: String { "StartSecondFactorParameters(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}

extension Interface.ResolveSecondFactor: CustomStringConvertible, CustomReflectable {
    public var description: String { "ResolveSecondFactorParameters(\(uid), <redacted>)" }
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}
