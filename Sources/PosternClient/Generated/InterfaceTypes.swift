// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface

public typealias AdditionalUserInfo = Interface.AdditionalUserInfo
public typealias AuthResult = Interface.AuthResult
public typealias Credential = Interface.Credential
public typealias CredentialInput = Interface.CredentialInput
public typealias CredentialState = Interface.CredentialState
public typealias FormParameter = Interface.FormParameter
public typealias Intent = Interface.Intent
public typealias Provider = Interface.Provider
public typealias ProviderData = Interface.ProviderData
public typealias ProviderFinding = Interface.ProviderFinding
public typealias ProviderRefusal = Interface.ProviderRefusal
public typealias SecondFactor = Interface.SecondFactor
public typealias ServedAccount = Interface.ServedAccount
public typealias Session = Interface.Session
public typealias SignInEvent = Interface.SignInEvent
public typealias StoredCredential = Interface.StoredCredential
public typealias User = Interface.User
