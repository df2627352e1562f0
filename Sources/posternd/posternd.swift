// posternd: the daemon's program: its options, and PosternDaemon.
//
// Knows the command line and the exit statuses.
//
// Does nothing else, so that tests can run the daemon without it.
//
// Imports: PosternDaemon, PosternConfiguration, PosternInterface, ProgramOptions, Glibc.
// Start: CommandLineOptions.swift, main.swift.
