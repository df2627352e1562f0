// PosternConfiguration: the configuration: its keys, their values, and its files.
//
// Knows every section and key; a section's type, its keys and its reading are one file. It reads the files, refuses those that others can
// change, and runs the programs that print secrets.
//
// Does not know what a setting changes. PosternApplication may use its values, and none of what reads files or runs programs.
//
// Imports: CProcess, PosternCore, TOML, Glibc.
// Start: Configuration.swift, ConfigurationReader.swift, ProviderSection.swift, ConfigurationLoader.swift.
