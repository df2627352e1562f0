// ProgramOptions: the command lines of posternd and the demo provider.
//
// Knows options and their values. One table reads them, and writes the help, the manual and the completions.
//
// Does not know what an option does. It is not for `postern`, which has commands.
//
// Imports: StrictJSON, Glibc.
// Start: OptionTable.swift, ProgramOption.swift.
