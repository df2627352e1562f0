// PosternInterface: the interface `io.postern`, as Swift types.
//
// Knows the description in io.postern.varlink. The types, methods and errors are generated from it, and a test compares them.
//
// Does not know what a method does, nor how a call arrives.
//
// Imports: Secrets, StrictJSON.
// Start: Interface.swift, Interface+Methods.swift.
