// postern-interface-generator: writes the Swift of the interface, and its description, from io.postern.varlink.
//
// Knows types, marks such as `Secret:`, and how `swift format` would lay the result out.
//
// Does not know what a method does. Its output is committed, and a test compares it.
//
// Imports: Varlink, Glibc.
// Start: Generator.swift, InterfaceModel.swift.
