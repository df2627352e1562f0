// ProgramOptions: command lines.
//
// Knows options and their values. One table reads them, and writes the help, the manual and the completions.
//
// Does not know what an option does, nor which program it belongs to.
//
// Imports: StrictJSON, Glibc.
// Start: OptionTable.swift, ProgramOption.swift.
