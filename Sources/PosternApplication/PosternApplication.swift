// PosternApplication: what the daemon does: the methods of the interface.
//
// Ground: clock, timers, work, the event log, settings, access to the store. Providers: their metadata, requests to them, the cache of
// credentials. Tokens: access and ID tokens, renewal, import, attention. Accounts: users here or in a Firebase project, passwords, second
// factors. SignIn: sign-ins, their pages and callbacks. Service: the store's lock, the configuration, idling. A room uses only rooms before
// it; Tokens and Accounts do not use each other.
//
// Does not know NIO, sockets, SQLite, libsystemd or OpenSSL: it acts through its own protocols, so that its tests control time, random
// values and each answer. It decides as little as possible; the core does.
//
// Imports: PosternCore, PosternConfiguration, PosternInterface, StrictJSON, Varlink.
// Start: Application.swift, SignInCoordinator.swift, AccessTokens.swift, LocalAccounts.swift.
