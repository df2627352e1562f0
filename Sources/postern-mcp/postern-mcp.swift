// postern-mcp: the bridge's program: its commands and options, and what it gives up before it talks to anybody.
//
// Knows the command line, the exit statuses and the confinement of its own process.
//
// Does nothing else: Bridge does.
//
// Imports: Bridge, CProcess, PosternInterface, ProgramOptions, Glibc.
// Start: main.swift, Root.swift.
