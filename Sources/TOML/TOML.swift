// TOML: the language of the configuration, read and edited.
//
// Knows TOML 1.0, where each value stands, and how to change one without touching comments and order.
//
// Does not know our keys: PosternConfiguration does. It reads no file.
//
// Imports: nothing.
// Start: TOMLValue.swift, Parser.swift.
