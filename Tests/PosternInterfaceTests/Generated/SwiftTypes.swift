// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface
import StrictJSON

enum SwiftTypes {
    static let types: [String: any JSONConvertible.Type] = [
        "ProviderRefusal": Interface.ProviderRefusal.self, "Provider": Interface.Provider.self,
        "ProviderFinding": Interface.ProviderFinding.self, "SignInEvent": Interface.SignInEvent.self,
        "AgreedServer": Interface.AgreedServer.self, "Session": Interface.Session.self, "Credential": Interface.Credential.self,
        "CredentialInput": Interface.CredentialInput.self, "ProviderData": Interface.ProviderData.self,
        "SecondFactor": Interface.SecondFactor.self, "User": Interface.User.self, "AdditionalUserInfo": Interface.AdditionalUserInfo.self,
        "AuthResult": Interface.AuthResult.self, "StoredCredential": Interface.StoredCredential.self,
        "FormParameter": Interface.FormParameter.self, "ServedAccount": Interface.ServedAccount.self, "Intent": Interface.Intent.self,
        "CredentialState": Interface.CredentialState.self,
    ]

    static let parameters: [any MethodParameters.Type] = [
        Interface.ListProviders.self, Interface.CheckProvider.self, Interface.ResolveResource.self, Interface.SignIn.self,
        Interface.ListSessions.self, Interface.AttachSession.self, Interface.CancelSession.self, Interface.DeliverRedirect.self,
        Interface.SignInWithCredential.self, Interface.SignInAnonymously.self, Interface.CreateUser.self, Interface.GetCurrentUser.self,
        Interface.UpdateUser.self, Interface.UnlinkProvider.self, Interface.FetchProviders.self, Interface.SignOut.self,
        Interface.DeleteUser.self, Interface.GetUserToken.self, Interface.EnrollSecondFactor.self, Interface.ConfirmSecondFactor.self,
        Interface.RemoveSecondFactor.self, Interface.StartSecondFactor.self, Interface.ResolveSecondFactor.self,
        Interface.ListCredentials.self, Interface.GetAccessToken.self, Interface.GetIDToken.self, Interface.AuthorizeRequest.self,
        Interface.ReportRefusedToken.self, Interface.FindAccount.self, Interface.GetRoute.self, Interface.ImportCredential.self,
        Interface.RevokeCredential.self, Interface.GetStatus.self, Interface.Reload.self, Interface.Lock.self, Interface.Unlock.self,
        Interface.Monitor.self,
    ]
}
