// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface

/// What the provider returned beyond the user record.
public typealias AdditionalUserInfo = Interface.AdditionalUserInfo
/// What the user was shown of an MCP server, and agreed to: as ResolveResource said it.
public typealias AgreedServer = Interface.AgreedServer
/// The result of an operation on the current user.
public typealias AuthResult = Interface.AuthResult
/// What a provider issued. `handle` represents it in SignInWithCredential; it can be used once, until `handleExpiresAt`.
public typealias Credential = Interface.Credential
/// One of: a handle; tokens that the app obtained itself; an email address and a password.
public typealias CredentialInput = Interface.CredentialInput
/// good: tokens are available without the user. endsSoon: they will not be for much longer; `endsAt` says until when.
/// signInNeeded: the user must sign in; `reason` says why. A temporary failure is never the reason.
public typealias CredentialState = Interface.CredentialState
/// One parameter of a form body.
public typealias FormParameter = Interface.FormParameter
/// What to do with the credential once the provider has issued it:
/// signIn creates or finds the local user; link adds it to the app's current user;
/// reauthenticate proves that the current user is still present; credential only returns it;
/// keep stores it as an account of the person, and concerns no user of any app. SignInWithCredential does not take keep.
public typealias Intent = Interface.Intent
/// A provider that this daemon knows, and whether it can be used.
public typealias Provider = Interface.Provider
/// What one linked provider says about the user.
public typealias ProviderData = Interface.ProviderData
/// The result of checking one part of a provider's setup.
public typealias ProviderFinding = Interface.ProviderFinding
/// A request of the service that a provider refused.
public typealias ProviderRefusal = Interface.ProviderRefusal
/// A second factor that the user enrolled.
public typealias SecondFactor = Interface.SecondFactor
/// An account whose tokens are for a URL.
public typealias ServedAccount = Interface.ServedAccount
/// A sign-in that is in progress or has just ended.
public typealias Session = Interface.Session
/// The state of a sign-in; the last event is `completed`.
public typealias SignInEvent = Interface.SignInEvent
/// A credential in the store, without its secrets.
public typealias StoredCredential = Interface.StoredCredential
/// A local user.
public typealias User = Interface.User
