// PosternStore: the store: one SQLite file, whose secrets are sealed.
//
// Knows tables, records and keys. A decision runs inside one transaction, on the store's own thread, and nothing is half written after kill
// -9.
//
// Accounts, Tokens, SignIn and Providers: what is stored of each, named as in the core. Below them: the files, the database, sealing.
// Beside them: the store's key, which no feature uses.
//
// Does not decide: it is given a function that does. It is the only module that imports SQLite.
//
// Imports: CSQLite, PosternCrypto, PosternCore, StrictJSON, Glibc.
// Start: Store.swift, OpenedStore.swift, Connection.swift, Sealer.swift.
