// postern-demo-provider: the demo provider's program.
//
// Knows its options, and ends when its standard input does.
//
// Does nothing else: DemoProvider does.
//
// Imports: DemoProvider, PosternValues, ProgramOptions, NIOPosix, Glibc.
// Start: main.swift, CommandLineOptions.swift.
