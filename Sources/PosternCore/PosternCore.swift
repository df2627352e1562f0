// PosternCore: what is decided.
//
// Rules as values and functions, which are given the time and the random values. A state machine takes one method an event, and returns
// actions.
//
// Values: what all rooms use: requests, answers, the store's error. Providers: how a provider is asked, how its answers are read and
// checked, revoking; each built-in one is a file. Tokens: whether a stored token is good enough, and renewing. Accounts: who a user is,
// links, collisions, passwords, second factors. SignIn: one sign-in from its request to its result.
//
// Does not know sockets, files, clocks, C or PosternCrypto, and waits for nothing. If a test of a rule needs one of these, the rule is in
// the wrong place.
//
// Imports: PosternValues, Secrets, StrictJSON.
// Start: SignInMachine.swift, IDTokenVerifier.swift, AccountRules.swift, CredentialRenewal.swift, Catalogue.swift.
