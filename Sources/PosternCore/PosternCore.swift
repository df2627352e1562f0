// PosternCore: what is decided.
//
// Rules as values and functions, which are given the time and the random values. A state machine takes one method an event, and returns
// actions.
//
// Values: what all rooms use, such as identities and scopes. Providers: how a provider is asked and how its answers are read, each built-in
// one a file. Tokens: renewing, revoking, and whether a stored token is good enough. Accounts: who a user is, links, collisions, passwords,
// second factors. SignIn: one sign-in from its request to its result, and its checks.
//
// Does not know sockets, files, clocks, C or PosternCrypto, and waits for nothing. If a test of a rule needs one of these, the rule is in
// the wrong place.
//
// Imports: PosternValues, Secrets, StrictJSON.
// Start: SignInMachine.swift, IDTokenVerifier.swift, AccountRules.swift, CredentialRenewal.swift, Catalogue.swift.
