// postern: the command.
//
// Rooms by what a person does, above Ground (output, prompts, options, processes): SignIn, Tokens, Daemon (whether it runs and what it
// says), Configuration, Accounts, Trial (the demo).
//
// Asks the daemon for everything through PosternClient. It edits the configuration itself, by the daemon's own rules.
//
// Does not know the store, its key, or how a sign-in is done.
//
// Imports: CProcess, PosternClient, PosternConfiguration, PosternCore, PosternInterface, PosternValues, ProgramOptions, TOML,
// Varlink, StrictJSON, Glibc.
// Start: main.swift, Root.swift.
