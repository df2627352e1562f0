import PosternInterface
import StrictJSON

/// The Swift types by the names of the description.
enum SwiftTypes {
    static let types: [String: any JSONConvertible.Type] = [
        "Provider": Provider.self, "Intent": Intent.self, "SignInEvent": SignInEvent.self, "Session": Session.self,
        "Credential": Credential.self, "CredentialInput": CredentialInput.self, "ProviderData": ProviderData.self,
        "SecondFactor": SecondFactor.self, "User": User.self, "AdditionalUserInfo": AdditionalUserInfo.self,
        "AuthResult": AuthResult.self, "StoredCredential": StoredCredential.self,
    ]

    static let parameters: [any MethodParameters.Type] = [
        ListProvidersParameters.self, SignInParameters.self, ListSessionsParameters.self, AttachSessionParameters.self,
        CancelSessionParameters.self, DeliverRedirectParameters.self, SignInWithCredentialParameters.self,
        SignInAnonymouslyParameters.self, CreateUserParameters.self, GetCurrentUserParameters.self, UpdateUserParameters.self,
        UnlinkProviderParameters.self, FetchProvidersParameters.self, SignOutParameters.self, DeleteUserParameters.self,
        GetUserTokenParameters.self, EnrollSecondFactorParameters.self, ConfirmSecondFactorParameters.self,
        RemoveSecondFactorParameters.self, StartSecondFactorParameters.self, ResolveSecondFactorParameters.self,
        ListCredentialsParameters.self, GetAccessTokenParameters.self, RevokeCredentialParameters.self, GetStatusParameters.self,
        ReloadParameters.self, LockParameters.self, UnlockParameters.self, MonitorParameters.self,
    ]
}

/// Reads a value with a Swift type and gives it back as that type writes it.
func through<Value: JSONConvertible>(_ type: Value.Type, _ json: JSON) throws -> JSON { try Value(json: json).json }

func reply<Parameters: MethodParameters>(of type: Parameters.Type) -> any InterfaceObject.Type { Parameters.Reply.self }
